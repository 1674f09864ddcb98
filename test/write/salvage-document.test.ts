import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/verify.ts';
import { salvageLog } from '../../src/library/write.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
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

const MARK = '\uFEFF';
const RECORDS = readFileSync(join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl'), 'utf8')
  .trim()
  .split('\n');

test.each([
  ['one line', '[', ','],
  ['a line per record', '[\n', ',\n'],
])('a list on %s that is cut anywhere keeps its whole records', async (_, open, between) => {
  for (const mark of ['', MARK]) {
    const whole = Buffer.from(`${mark}${open}${RECORDS.join(between)}]`);
    const first = Buffer.byteLength(`${mark}${open}${RECORDS[0]}`);
    for (let length = first; length < whole.length; length += times(97, 411)) {
      const { copy, rejected, path } = await salvaged(whole.subarray(0, length));
      const kept = RECORDS.filter(
        (__, index) =>
          Buffer.byteLength(`${mark}${open}${RECORDS.slice(0, index + 1).join(between)}`) <= length,
      );
      expect(copy.toString(), `cut at ${length}`).toBe(`${mark}${open}${kept.join(between)}]`);
      expect(copy.length - 1 + rejected.length, `cut at ${length}`).toBe(length);
      const { events, findings } = await verifyEpisode(path);
      expect([events, findings.filter(({ code }) => code.startsWith('log/'))]).toEqual([kept.length, []]);
    }
  }
});

test('a byte order mark does not change what is read of a document', async () => {
  const list = `[${RECORDS.join(',\n')}]`;
  for (const [text, count] of [
    [list, RECORDS.length],
    [ORIGINAL.toString(), messages.length + 1],
  ] as const) {
    const { summary, copy, path } = await salvaged(Buffer.from(MARK + text));
    expect(copy.toString()).toBe(MARK + text);
    expect(summary).toMatchObject({ kept: count, repaired: 0, lost: 0 });
    const plain = join(tempDir(), 'session.json');
    writeFileSync(plain, text);
    const [marked, bare] = [await verifyEpisode(path), await verifyEpisode(plain)];
    expect([marked.events, marked.dialect, marked.verdict]).toEqual([
      bare.events,
      bare.dialect,
      bare.verdict,
    ]);
    const events = async (log: string) => (await runHere(['events', '-j', log])).stdout;
    expect(await events(path)).toBe(await events(plain));
    const [name = ''] = /[^/]*$/.exec(path) ?? [];
    writeFileSync(join(dirname(plain), name), MARK + text);
    const { stdout } = await runHere(['list', '-j', dirname(plain)]);
    expect(stdout.includes(name), 'a folder has the same documents').toBe(count !== RECORDS.length);
  }
});
