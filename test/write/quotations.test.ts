import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openWriter } from '../../src/library/write.ts';
import { HOSTILE, QUOTED } from '../findings/quoted.ts';
import { SAMPLES } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copies of an event, each with hostile words after one of its texts, or in the name of a member. */
function* hostileCopies(event: Members): Generator<Members> {
  yield { ...event, [`x${HOSTILE}`]: 1 };
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'string') yield { ...event, [name]: value + HOSTILE };
    if (isMembers(value)) for (const copy of hostileCopies(value)) yield { ...event, [name]: copy };
  }
}

/** The members that `append` fills in. */
const STAMPED = ['id', 'sequence', 'timestamp', 'ts', 'streamId'];

test.each([
  ['noesis', 'noesis/replay/run_a/ep_01JGFJJZ00CTSPE3DKFP348M8P/events.jsonl'],
  ['exarchos', 'exarchos/demo-feature.events.jsonl'],
  ['coordinator', 'coordinator/nested-two-sessions.jsonl'],
  ['fishbowl', 'fishbowl/ledger-10-runs.scrubbed.jsonl'],
])('%s: refusals and remarks of append quote what the event says', async (_name, sample) => {
  const lines = readFileSync(join(SAMPLES, sample), 'utf8').trim().split('\n').slice(0, 40);
  const copy = join(tempDir(), basename(sample));
  writeFileSync(copy, `${lines[0]}\n`);
  const records = lines.slice(1).map((line) => JSON.parse(line) as Members);
  await using writer = await openWriter(copy);
  const messages: string[] = [];
  for (const record of records)
    for (const event of hostileCopies(record))
      for (const left of [STAMPED, []]) {
        const given = Object.fromEntries(Object.entries(event).filter(([name]) => !left.includes(name)));
        const { remarks } = await writer
          .append(given, { force: 'a test' })
          .catch(({ message }: Error) => ({ remarks: [message] }));
        messages.push(...remarks);
      }
  expect(messages.some((message) => message.includes('see line'))).toBe(true);
  for (const message of messages) expect(message.replaceAll(QUOTED, '')).not.toContain('see line');
});
