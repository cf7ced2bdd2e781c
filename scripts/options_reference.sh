#!/usr/bin/env bash
# usage: options_reference.sh LEGWORK   docs/options.md on stdout, from the descriptions in the program
set -euo pipefail
legwork=$1
cat <<'EOF'
# Every option

Written by `scripts/options_reference.sh build/legwork > docs/options.md` from the descriptions that the program itself
uses; a test fails when they differ. `legwork VERB --help` prints the same for a terminal. In scenario files the keys are
these options without the hyphens in front and with `_` for `-`. What has no default is off or left to the creature.
EOF
for verb in $("$legwork" --help | awk '/^Verbs/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
  echo
  "$legwork" "$verb" --help-markdown
done | awk '
  # a group of options that stood before, word for word, is named and not repeated
  function flush() {
    if (body == "") return
    if (body in seen) printf "%s\nAs in `%s`.\n\n", head, seen[body]
    else { seen[body] = verb; printf "%s\n%s", head, body }
    body = ""
  }
  /^## / { flush(); verb = $2; print; next }
  /^### / { flush(); head = $0; body = ""; inside = 1; next }
  inside && /^\|/ { body = body $0 "\n"; next }
  inside && /^$/ { if (body != "") { body = body "\n"; flush() } inside = 0; next }
  { print }
  END { flush() }'
