// Appends events one after the other until it is killed, and says of each on standard output that it is on the disk.
// node appender.mjs LIBRARY LOG NAME FIRST
import { writeSync } from 'node:fs';

const [library, log, name, first] = process.argv.slice(2);
const { openWriter } = await import(library);
const writer = await openWriter(log);
for (let number = Number(first); ; number += 1) {
  const id = `${name}-${number}`;
  const text = 'x'.repeat((number * 977) % 2000);
  const events = [{ id, phase: 'reason', payload: { text } }];
  // Every third batch has several events: they come together or not at all.
  if (number % 3 === 0) events.push({ id: `${id}-b`, phase: 'reason', payload: { text } });
  await writer.append(events);
  writeSync(1, `${id}\n`);
}
