#!/usr/bin/env bash
# The step of the action: verifies the targets with annotations and a summary, and writes a SARIF file too. Ends as
# noesis verify does. Inputs come by the environment alone: none of them is read as code.
set -u
unset NODE_OPTIONS NODE_PATH
# A folder of compiled code may have come with a cache that another workflow filled.
export NODE_DISABLE_COMPILE_CACHE=1

# Without what YAML and editors leave around a line.
words() { printf '%s\n' "$1" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d'; }
mapfile -t targets < <(words "${NOESIS_TARGETS:-.}")
mapfile -t arguments < <(words "${NOESIS_ARGUMENTS:-}")
sarif=${NOESIS_SARIF:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

# Says the verdict and ends. A report that this run did not write, as one that is committed, is not left to be uploaded.
end() {
  {
    printf 'verdict=%s\n' "$1"
    if [ -n "$sarif" ]; then
      if [ "$2" = report ]; then echo 'report=true'; else rm -f -- "$sarif"; fi
    fi
  } >>"${GITHUB_OUTPUT:-/dev/null}"
  exit "$3"
}

# What does not start must not be taken for a finding: both end with 1.
if ! program=$(bash "$here/program.sh") || ! node "$program" --version >/dev/null; then
  echo '::error title=noesis verify::the program could not be built or started, so nothing was verified'
  end error none 70
fi

written=0
if [ -n "$sarif" ]; then
  rm -f -- "$sarif"
  node "$program" verify --format sarif --output "$sarif" --quiet \
    ${arguments[@]+"${arguments[@]}"} -- "${targets[@]}" >/dev/null
  written=$?
  # Without a report there was no verdict, whatever the code is.
  [ "$written" -gt 1 ] || [ -s "$sarif" ] || written=70
fi

node "$program" verify --format github ${arguments[@]+"${arguments[@]}"} -- "${targets[@]}"
code=$?
# A report that was asked for and could not be written is no success. Nor is one with findings that this run does not
# have: a log may change in between, and --subset reads another share each time.
[ "$code" -gt 1 ] || [ "$written" -eq 0 ] || code=$written
report=report
[ "$written" -le 1 ] || report=none
case $code in
  0) end ok "$report" 0 ;;
  1) end fail "$report" 1 ;;
  *) end error none "$code" ;;
esac
