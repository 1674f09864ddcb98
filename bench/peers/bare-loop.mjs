// The least that a JavaScript program can do with a log: read it, split it into lines, and parse each.
import { closeSync, openSync, readSync } from 'node:fs';

const file = openSync(process.argv[2], 'r');
let buffer = Buffer.allocUnsafe(1 << 20);
let held = 0;
let events = 0;
for (;;) {
  // A line longer than the buffer.
  if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  const read = readSync(file, buffer, held, buffer.length - held, null);
  if (read === 0) break;
  const end = held + read;
  let start = 0;
  for (;;) {
    const newline = buffer.indexOf(10, start);
    // What lies behind the end is left over from earlier reads.
    if (newline === -1 || newline >= end) break;
    JSON.parse(buffer.toString('utf8', start, newline));
    events += 1;
    start = newline + 1;
  }
  buffer.copyWithin(0, start, end);
  held = end - start;
}
if (held > 0) {
  JSON.parse(buffer.toString('utf8', 0, held));
  events += 1;
}
closeSync(file);
console.log(events);
