#!/usr/bin/env bash
# usage: man_page.sh LEGWORK   the manual page legwork.1 on stdout, from the program's own --help
set -euo pipefail
legwork=$1
verbs=$("$legwork" --help | awk '/^Verbs/ {on = 1; next} /^$/ {on = 0} on {print $1}')
{
  echo "@page $("$legwork" --version)"
  "$legwork" --help
  for verb in $verbs; do
    echo "@verb $verb"
    "$legwork" "$verb" --help
  done
} | awk '
  function plain(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); return s ~ /^[.\x27]/ ? "\\&" s : s }
  function put(line) { body = body line "\n" }
  function item(s, open,   at, term, text) {
    at = match(s, /   *[^ ]/)  # term, two spaces or more, text
    term = at ? substr(s, 1, at - 1) : s
    text = at ? substr(s, at) : ""
    sub(/^ +/, "", text)
    put(open); put("\\fB" plain(term) "\\fR")
    if (text != "") put(plain(text))
  }
  function close_choices() { if (inside) put(".RE"); inside = 0 }
  # a group of options that stood before, word for word, is named and not repeated
  function flush() {
    close_choices()
    if (body != "" && (body in seen)) body = "As in\n.BR " seen[body] ".\n"
    else if (heading ~ /[a-z]/) seen[body] = verb
    if (heading != "") printf ".PP\n.I %s\n.PP\n", plain(heading)
    printf "%s", body
    if (examples) print ".fi\n.RE"
    heading = body = ""; examples = 0
  }
  /^@page / {
    printf ".TH LEGWORK 1 \"\" \"%s\" \"User Commands\"\n", substr($0, 7)
    print ".SH NAME\nlegwork \\- make articulated creatures walk"
    next
  }
  /^@verb / { flush(); if (!verb) print ".SH VERBS"; verb = $2; next }
  # the overview
  !verb && /^Legwork makes/ { about = $0; next }
  !verb && /^Usage: / { printf ".SH SYNOPSIS\n.B legwork\n%s\n.SH DESCRIPTION\n%s\n", plain(substr($0, 16)), plain(about); next }
  !verb && /^Verbs$/ { next }
  !verb && /^$/ { flush(); next }
  !verb && /^  / { item(substr($0, 3), ".TP"); next }
  !verb { print ".PP\n" plain($0); next }
  # a verb
  /^legwork [a-z]+: / { printf ".SS %s\n", verb; sub(/^legwork [a-z]+: /, ""); print plain($0); next }
  /^Usage: / { printf ".PP\n.B %s\n", plain(substr($0, 8)); next }
  /^Examples$/ { flush(); examples = 1; heading = "Examples"; put(".RS\n.nf"); next }
  /^$/ { if (!examples) flush(); next }
  examples { sub(/^  /, ""); put(plain($0)); next }
  /^                    / { sub(/^ +/, ""); put(plain($0)); next }
  /^    / { if (!inside) put(".RS"); inside = 1; sub(/^ +/, ""); item($0, ".TP"); next }
  /^  / { close_choices(); item(substr($0, 3), ".TP"); next }
  { flush(); heading = $0 }
  END { flush() }'
cat <<'EOF'
.SH ENVIRONMENT
.TP
.B LEGWORK_CREATURES
folder of the shipped creatures, instead of the one that was installed
.TP
.B LEGWORK_CACHE
folder where
.B reach
keeps what it has computed
.SH FILES
.TP
.I share/legwork/creatures
the shipped creatures, one file each
.TP
.I share/legwork/algorithms
the algorithms of
.B direct
.TP
.I share/doc/legwork
all documents, examples among them
EOF
