// The least that some commands have to do with the logs of coding agents, without a program around it. The first argument
// says what: `status` asks for the status of every log, `tokens` parses only records that contain tokens, `find WORD` counts
// the lines with a word, `episode` reads every file of an episode after its status, hashes it, and parses its records.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [what, ...rest] = process.argv.slice(2);
const word = what === 'find' ? rest.shift() : undefined;

/** What a record with tokens contains, by the folder of its program. */
const MARKS = [
  ['.codex', '"token_count"'],
  ['.copilot', '"modelMetrics"'],
  ['', '"usage"'],
];

let found = 0;

/** Calls `take` with each line that contains a text. */
function linesWith(bytes, text, take) {
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const start = bytes.lastIndexOf(10, at) + 1;
    const newline = bytes.indexOf(10, at);
    const end = newline === -1 ? bytes.length : newline;
    take(start, end);
    at = bytes.indexOf(text, end);
  }
}

function visitLog(path) {
  if (what === 'status') {
    found += statSync(path, { bigint: true }).mtimeMs > 0n ? 1 : 0;
    return;
  }
  const bytes = readFileSync(path);
  const text = word ?? MARKS.find(([folder]) => path.includes(folder))[1];
  linesWith(bytes, text, (start, end) => {
    if (what === 'tokens') JSON.parse(bytes.toString('utf8', start, end));
    found += 1;
  });
}

function visitFile(path) {
  if (!lstatSync(path).isFile()) return;
  const bytes = readFileSync(path);
  createHash('sha256').update(bytes).digest('hex');
  const texts = path.endsWith('.jsonl') ? bytes.toString().split('\n') : [bytes.toString()];
  for (const text of texts) if (text !== '') JSON.parse(text);
  found += 1;
}

function visit(path) {
  if (!statSync(path).isDirectory()) return visitLog(path);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) visit(inner);
    else if (what === 'episode') visitFile(inner);
    else if (entry.name.endsWith('.jsonl')) visitLog(inner);
  }
}

for (const path of rest) visit(path);
console.log(found);
