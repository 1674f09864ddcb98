// Turns the ES modules of esbuild into CommonJS. Node 20 loads it in half the time, because it does not wait for files.
import * as crypto from 'node:crypto';
import * as fsPromises from 'node:fs/promises';
import * as module from 'node:module';
import * as consumers from 'node:stream/consumers';
import * as streamPromises from 'node:stream/promises';
import * as timersPromises from 'node:timers/promises';
import * as v8 from 'node:v8';
import * as zlib from 'node:zlib';

/** Modules of Node that take milliseconds to load and that many commands never call. */
const COSTLY = {
  'node:crypto': crypto,
  'node:fs/promises': fsPromises,
  'node:module': module,
  'node:stream/consumers': consumers,
  'node:stream/promises': streamPromises,
  'node:timers/promises': timersPromises,
  'node:v8': v8,
  'node:zlib': zlib,
};

/** An import statement as esbuild writes it, anywhere in the file. */
const IMPORT =
  /(?<=^|[;}\n])import(?:((?:[\w$]+,)?\{[^}]*\}|\s*\*\s*as [\w$]+|\s+[\w$]+\s*)\s*from)?\s*"([^"]+)";?\n?/g;
const EXPORT = /(?<=^|[;}\n])export\s*\{([^}]*)\};?\s*$/;
// Lines may be broken between any two tokens.
const ON_DEMAND = /\bimport\(\s*("[^"]+"|[\w$]+)\s*\)/g;
const OWN_URL = /\bimport\s*\.\s*meta\s*\.\s*url\b/g;

const pairsIn = (list) => list.split(',').map((one) => one.trim().split(/\s+as\s+/));

/** Files of the bundle have the suffix of CommonJS, because the package has ES modules. */
const fileOf = (path) => (path.startsWith('.') ? path.replace(/\.js$/, '.cjs') : path);
const inBundle = (path) => (path.startsWith('".') ? path.replace(/\.js"$/, '.cjs"') : path);

/** The names that an import binds, as the left side of a declaration. */
function boundBy(what) {
  if (what.startsWith('*')) return what.replace(/^\*\s*as\s+/, '');
  if (!what.startsWith('{')) return what;
  return `{${pairsIn(what.slice(1, -1)).map(([name, as = name]) => `${name}:${as}`)}}`;
}

/** Functions that load their module when one of them is called. */
function onCall(pairs, path) {
  const module = `${pairs[0].at(-1)}$module`;
  const calls = pairs.map(
    ([name, as = name]) => `${as}=(...all)=>(${module}??=require("${path}")).${name}(...all)`,
  );
  return `let ${module};const ${calls};`;
}

function required(what, path) {
  const pairs = path in COSTLY && what.startsWith('{') ? pairsIn(what.slice(1, -1)) : [];
  // Classes are constructed, not called.
  if (
    pairs.length > 0 &&
    pairs.every(([name]) => /^[a-z]/.test(name) && typeof COSTLY[path][name] === 'function')
  )
    return onCall(pairs, path);
  const value = `require(${JSON.stringify(fileOf(path))})`;
  if (what === '') return `${value};`;
  const [, name, rest] = /^([\w$]+),(\{.*)$/s.exec(what) ?? [];
  if (name === undefined) return `const ${boundBy(what)}=${value};`;
  return `const ${name}=${value},${boundBy(rest)}=${name};`;
}

/**
 * Turns a module into CommonJS. Imports are bound when the file is loaded: files of a bundle have no import cycles, and no
 * binding between them changes. Local names are faster than the object members in esbuild's own CommonJS. Anything that is
 * not turned is a syntax error, which {@link parse} finds.
 */
export function toCommonJs(text, parse) {
  let head = '"use strict";';
  let tail = '';
  const body = text
    .replace(/^#!.*\n/, (line) => {
      head = line + head;
      return '';
    })
    .replace(IMPORT, (_, what = '', path) => {
      head += required(what.trim(), path);
      return '';
    })
    .replace(EXPORT, (_, list) => {
      tail = `module.exports={${pairsIn(list).map(([name, as = name]) => `${as}:${name}`)}};`;
      return '';
    })
    .replace(ON_DEMAND, (_, path) => `Promise.resolve().then(()=>require(${inBundle(path)}))`)
    .replace(OWN_URL, 'require("node:url").pathToFileURL(__filename)');
  const code = `${head}${body}${tail}\n`;
  parse(code.replace(/^#!.*\n/, ''));
  return code;
}
