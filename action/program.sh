#!/usr/bin/env bash
# Prints the path of the program of this very tree: the one in dist/ where a release put it, else one that is built from
# the sources here, in a folder of its own. Nothing of the checkout that is verified takes part: not its node_modules, not
# its .npmrc, not the settings of npm and Node in the environment. Fails where there is no program.
set -eu

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
if [ -f "$tree/dist/bin/noesis.js" ]; then
  printf '%s\n' "$tree/dist/bin/noesis.js"
  exit 0
fi

made=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/noesis.XXXXXX")
cp -R "$tree"/{package.json,package-lock.json,tsconfig.json,scripts,src,bin,commands,wasm} "$made"
cd "$made"
mapfile -t settings < <(compgen -e | grep -i '^npm_config_' || true)
for name in ${settings[@]+"${settings[@]}"}; do unset "$name"; done
: >none
{
  NPM_CONFIG_USERCONFIG="$made/none" NPM_CONFIG_GLOBALCONFIG="$made/none" \
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  node scripts/build.mjs
} >&2
printf '%s\n' "$made/dist/bin/noesis.js"
