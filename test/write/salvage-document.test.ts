import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/verify.ts';
import { salvageLog } from '../../src/library/write.ts';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const ORIGINAL = readFileSync(join(SAMPLES, 'gemini', 'qwen-document-0.1.4.json'));
const { messages } = JSON.parse(ORIGINAL.toString()) as { messages: unknown[] };

/** The ends of the messages in the document. */
const ENDS = messages.map((_, index) => {
  const text = JSON.stringify(messages[index], null, 2).replaceAll('\n', '\n    ');
  return ORIGINAL.indexOf(text) + Buffer.byteLength(text);
});

async function salvaged(bytes: Uint8Array) {
  const [log, to] = [join(tempDir(), 'session.json'), join(tempDir(), 'copy')];
  writeFileSync(log, bytes);
  const { summary } = await salvageLog(log, { to });
  const read = (end: string) => readFileSync(join(to, `session.json${end}`));
  return { summary, copy: read(''), rejected: read('.rejected'), path: join(to, 'session.json') };
}

// The rest of the document, apart from its messages, counts as one record.
test('an intact JSON document is copied as it is', async () => {
  const { summary, copy } = await salvaged(ORIGINAL);
  expect(copy.equals(ORIGINAL)).toBe(true);
  expect(summary).toMatchObject({ kept: messages.length + 1, repaired: 0, lost: 0 });
});

test('a JSON document that is cut anywhere is closed after its last whole record', async () => {
  expect(ENDS.every((end, index) => end > (ENDS[index - 1] ?? 0))).toBe(true);
  for (let length = ENDS[0] ?? 0; length < ORIGINAL.length - 2; length += times(7, 61)) {
    const { copy, rejected, path } = await salvaged(ORIGINAL.subarray(0, length));
    const whole = ENDS.filter((end) => end <= length);
    const end = whole.at(-1) ?? 0;
    expect(copy.toString(), `cut at ${length}`).toBe(`${ORIGINAL.toString('utf8', 0, end)}]}`);
    expect(rejected.equals(ORIGINAL.subarray(end, length)), `cut at ${length}`).toBe(true);
    expect((JSON.parse(copy.toString()) as { messages: unknown[] }).messages).toEqual(
      messages.slice(0, whole.length),
    );
    expect((await verifyEpisode(path)).findings).toEqual([]);
  }
});

test('a JSON document is kept up to its first damage', async () => {
  const bytes = Buffer.from(ORIGINAL);
  const at = (ENDS[1] ?? 0) + 20;
  bytes[at] = 0;
  const { summary, copy, rejected } = await salvaged(bytes);
  expect(copy.toString()).toBe(`${ORIGINAL.toString('utf8', 0, ENDS[1])}]}`);
  expect(rejected.equals(bytes.subarray(ENDS[1]))).toBe(true);
  expect(summary).toMatchObject({ kept: 3, lost: 1, lostBytes: bytes.length - (ENDS[1] ?? 0) });
});
