import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type MadeEntry, makeZip, makeZstdZip } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const at = (second: number) => `2026-03-02T09:00:0${second}+00:00`;
const EVENTS = [
  { event: 'sample_init', uuid: 'a1', timestamp: at(0), span_id: 's' },
  { event: 'tool', uuid: 'a2', timestamp: at(1), span_id: 's', type: 'function', function: 'bash' },
  { event: 'score', uuid: 'a3', timestamp: at(2), span_id: 's', score: { value: 'C' } },
];
const MESSAGES = [{ id: 'm1', role: 'user', content: 'what is 12345678901234567890?' }];
const SAMPLES = [
  { id: 1, epoch: 1, messages: MESSAGES, events: EVENTS },
  { id: 'two', epoch: 1, messages: MESSAGES, events: [] },
];
const HEADER = { version: 2, status: 'success', eval: { task: 'sums', created: at(0) } };

const entry = (name: string, value: unknown): MadeEntry => ({
  name,
  content: Buffer.from(JSON.stringify(value)),
});
const ENTRIES = [
  entry('_journal/start.json', { version: 2, eval: HEADER.eval }),
  entry('_journal/summaries/1.json', [{ id: 1, epoch: 1 }]),
  ...SAMPLES.map((sample) => entry(`samples/${sample.id}_epoch_1.json`, sample)),
  entry('summaries.json', [{ id: 1, epoch: 1 }]),
  entry('header.json', HEADER),
];
const LINES = [
  ...EVENTS.map((event) => JSON.stringify({ sample_id: 1, epoch: 1, event_type: event.event, ...event })),
  JSON.stringify({ sample_id: 'two', epoch: 1, ...MESSAGES[0] }),
];

function written(name: string, content: Uint8Array | string): string {
  const path = join(tempDir(), name);
  writeFileSync(path, content);
  return path;
}

describe('an evaluation log of Inspect', () => {
  test.each([
    ['deflated', 'log.eval', async () => makeZip(ENTRIES)],
    ['with zstd', 'log.eval', async () => makeZstdZip(ENTRIES)],
    ['as JSON', 'log.json', async () => JSON.stringify({ ...HEADER, samples: SAMPLES }, null, 2)],
  ] as const)('is read as the events of its samples: %s', async (_how, name, make) => {
    const path = written(name, await make());
    const events = await runHere(['events', path, '-j']);
    expect([events.code, events.stdout]).toEqual([0, `${LINES.join('\n')}\n`]);
    expect(events.stderr).toMatch(/line N is/);
    const tools = await runHere(['events', path, '-j', '--type', 'tool']);
    expect(tools.stdout).toBe(`${LINES[1]}\n`);
    for (const command of ['show', 'timeline', 'stats', 'tail'])
      expect([command, (await runHere([command, path])).code]).toEqual([command, 0]);
    const verified = await runHere(['verify', path, '-j']);
    const { verdict, summary } = JSON.parse(verified.stdout) as { verdict: string; summary: object };
    expect([verified.code, verdict, summary]).toEqual([0, 'ok', expect.objectContaining({ events: 4 })]);
  });

  test('that is damaged is refused, and so is a sample that is not a document', async () => {
    const whole = makeZip(ENTRIES);
    const broken = makeZip([{ name: 'samples/1_epoch_1.json', content: Buffer.from('{"id":1,') }]);
    const long = makeZip(
      [{ name: 'samples/1_epoch_1.json', content: Buffer.alloc(65 * 1024 * 1024, 32) }],
      0,
    );
    for (const bytes of [whole.subarray(0, -9), broken, long]) {
      const path = written('log.eval', bytes);
      const { code, stdout } = await runHere(['events', path, '-j']);
      expect([code, stdout]).toEqual([3, '']);
      expect((await runHere(['verify', path])).code).toBe(1);
    }
  });

  test('is recognised by its bytes as well: a file that only has the name is read unchanged', async () => {
    const path = written('lines.eval', '{"id":"a","type":"x"}\n');
    expect(await runHere(['events', path, '-j'])).toMatchObject({
      code: 0,
      stdout: '{"id":"a","type":"x"}\n',
    });
  });
});
