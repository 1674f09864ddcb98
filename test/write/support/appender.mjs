// Appends events to a log until it is killed. Prints each event when it is on the disk.
// Usage: node appender.mjs LIBRARY, and a line "LOG NAME" on standard input.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { openWriter } = await import(process.argv[2]);
for await (const line of createInterface(process.stdin)) {
  const [log, name] = line.split(' ');
  const writer = await openWriter(log);
  for (let number = 1; ; number += 1) {
    const id = `${name}-${number}`;
    const text = 'x'.repeat((number * 977) % 2000);
    const events = [{ id, phase: 'reason', payload: { text } }];
    // Every third batch has several events: they come together or not at all.
    if (number % 3 === 0) events.push({ id: `${id}-b`, phase: 'reason', payload: { text } });
    await writer.append(events);
    writeSync(1, `${id}\n`);
  }
}
