// The least that a JavaScript program can do with an episode: read every file below the given paths and parse each document
// in it. A .json file has one document, any other file one per line.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

let documents = 0;
const piece = 1 << 20;
let buffer = Buffer.allocUnsafe(piece);

/** Faster for a small file, and slower for a large one. */
function parseWhole(path) {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    JSON.parse(line);
    documents += 1;
  }
}

function parseInPieces(path) {
  const file = openSync(path, 'r');
  let held = 0;
  for (;;) {
    // A line longer than the buffer.
    if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    const read = readSync(file, buffer, held, buffer.length - held, null);
    if (read === 0) break;
    const end = held + read;
    let start = 0;
    for (;;) {
      const newline = buffer.indexOf(10, start);
      // Bytes after the end are left over from earlier reads.
      if (newline === -1 || newline >= end) break;
      JSON.parse(buffer.toString('utf8', start, newline));
      documents += 1;
      start = newline + 1;
    }
    buffer.copyWithin(0, start, end);
    held = end - start;
  }
  if (held > 0) {
    JSON.parse(buffer.toString('utf8', 0, held));
    documents += 1;
  }
  closeSync(file);
}

function parseFile(path) {
  if (path.endsWith('.jsonl')) {
    if (statSync(path).size < piece) parseWhole(path);
    else parseInPieces(path);
  } else if (path.endsWith('.json')) {
    JSON.parse(readFileSync(path, 'utf8'));
    documents += 1;
  }
}

function visit(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) visit(path);
    else parseFile(path);
  }
}

for (const path of process.argv.slice(2)) {
  if (statSync(path).isDirectory()) visit(path);
  else parseFile(path);
}
console.log(documents);
