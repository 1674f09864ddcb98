#!/usr/bin/env bash
# The step of the action: verifies the targets with annotations and a summary, and writes a SARIF file beside. Ends as
# noesis verify does. Inputs come by the environment alone: none of them is read as code.
set -u

mapfile -t targets < <(printf '%s\n' "${NOESIS_TARGETS:-.}" | sed '/^[[:space:]]*$/d')
mapfile -t arguments < <(printf '%s\n' "${NOESIS_ARGUMENTS:-}" | sed '/^[[:space:]]*$/d')

noesis=(noesis)
if ! command -v noesis >/dev/null; then
  package=${NOESIS_PACKAGE:-latest}
  case $package in
    *.tgz) ;;
    *) package="noesis@$package" ;;
  esac
  noesis=(npm exec --yes --package="$package" -- noesis)
fi

if [ -n "${NOESIS_SARIF:-}" ]; then
  "${noesis[@]}" verify --format sarif --output "$NOESIS_SARIF" --quiet \
    ${arguments[@]+"${arguments[@]}"} -- "${targets[@]}" >/dev/null
  code=$?
  # 2 and more is no verdict: the next command says what is wrong.
  [ "$code" -le 1 ] || rm -f "$NOESIS_SARIF"
fi

"${noesis[@]}" verify --format github ${arguments[@]+"${arguments[@]}"} -- "${targets[@]}"
code=$?
case $code in
  0) verdict=ok ;;
  1) verdict=fail ;;
  *) verdict=error ;;
esac
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'verdict=%s\n' "$verdict" >> "$GITHUB_OUTPUT"
exit "$code"
