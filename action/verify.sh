#!/usr/bin/env bash
# The step of the action: verifies the targets with annotations and a summary, and writes a SARIF file beside. Ends as
# noesis verify does. Inputs come by the environment alone: none of them is read as code.
set -u

# Without what YAML and editors leave around a line.
words() { printf '%s\n' "$1" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d'; }
mapfile -t targets < <(words "${NOESIS_TARGETS:-.}")
mapfile -t arguments < <(words "${NOESIS_ARGUMENTS:-}")

noesis=(noesis)
if ! command -v noesis >/dev/null; then
  package=${NOESIS_PACKAGE:-latest}
  case $package in
    *.tgz) ;;
    *) package="noesis@$package" ;;
  esac
  noesis=(npm exec --yes --package="$package" -- noesis)
fi

written=0
if [ -n "${NOESIS_SARIF:-}" ]; then
  "${noesis[@]}" verify --format sarif --output "$NOESIS_SARIF" --quiet \
    ${arguments[@]+"${arguments[@]}"} -- "${targets[@]}" >/dev/null
  written=$?
  # 2 and more is no verdict: nothing is to be uploaded, not even what an earlier step left.
  [ "$written" -le 1 ] || rm -f "$NOESIS_SARIF"
fi

"${noesis[@]}" verify --format github ${arguments[@]+"${arguments[@]}"} -- "${targets[@]}"
code=$?
# A report that was asked for and could not be written is no success.
[ "$code" -gt 1 ] || [ "$written" -le 1 ] || code=$written
case $code in
  0) verdict=ok ;;
  1) verdict=fail ;;
  *) verdict=error ;;
esac
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'verdict=%s\n' "$verdict"
  [ -z "${NOESIS_SARIF:-}" ] || [ "$written" -gt 1 ] || echo 'report=true'
fi >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
