#!/usr/bin/env bash
# usage: completion.sh LEGWORK CREATURES   completion for bash on stdout: verbs, options and their choices from the
# program's own --help, names from the folder of shipped creatures
set -euo pipefail
legwork=$1 folder=$2
verbs=$("$legwork" --help | awk '/^Verbs/ {on = 1; next} /^$/ {on = 0} on {print $1}')
names=$(for file in "$folder"/*.toml "$folder"/worlds/*.toml; do basename "$file" .toml; done | sort)

echo "# bash completion of $("$legwork" --version)"
echo "_legwork() {"
echo "  local verbs='$(echo $verbs)'"
echo "  local names='$(echo $names)'"
echo "  local options= choices="
echo '  local verb=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}'
echo '  case $verb in'
for verb in $verbs; do
  "$legwork" "$verb" --help-markdown | awk -F' *[|] *' -v verb="$verb" '
    /^[|] `--/ {
      split($2, words, /[` ]+/)
      options = options " " words[2]
      if ($4 ~ /^[a-z0-9_]+(, [a-z0-9_]+)+$/) {  # a list of words, not a range of numbers
        gsub(/,/, "", $4)
        choices = choices "      " words[2] ") choices=\047" $4 "\047 ;;\n"
      }
    }
    END {
      printf "    %s)\n      options=\047%s --help\047\n", verb, substr(options, 2)
      if (choices) printf "      case $before in\n%s      esac\n", choices
      print "      ;;"
    }'
done
cat <<'EOF'
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$verbs --help --version" -- "$word"))
  elif [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "$names" -- "$word") $(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _legwork legwork
EOF
