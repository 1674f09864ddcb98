import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempFile } from '../../support/temp.ts';

// Records that a log has again with other ids, as a tool that copies parts of a session may write them. The ids of requests,
// messages and calls are those of Anthropic, and a prompt has the time at which it was asked.

const LOG = join(
  SAMPLES,
  'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
);
const EVENTS = readFileSync(LOG, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as JsonObject);

/** Copies of records, linked with each other like these. */
const copied = (events: readonly JsonObject[]): JsonObject[] => {
  const ids = new Map(events.map(({ uuid }, at) => [uuid, `copy-${at}`] as const));
  return events.map(({ uuid, parentUuid, ...event }) => ({
    ...(parentUuid !== undefined && { parentUuid: ids.get(parentUuid) ?? parentUuid }),
    ...event,
    ...(uuid !== undefined && { uuid: ids.get(uuid) ?? uuid }),
  })) as JsonObject[];
};

const json = async (...args: string[]) => JSON.parse((await runHere([...args, '-j'])).stdout);

/** What commands count. */
async function countsOf(events: readonly JsonObject[]): Promise<unknown> {
  const log = tempFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''), 'session.jsonl');
  const [[listed], shown, stats] = [
    await json('list', log),
    await json('show', log),
    await json('stats', log),
  ];
  const ofTools = (tools: readonly { tool: string; calls: number }[]) =>
    tools.map(({ tool, calls }) => [tool, calls]).sort();
  const read = await json('read', log);
  const said = (read.turns as { items: { kind: string; title?: string; text?: string }[] }[]).flatMap(
    ({ items }) => items.map(({ kind, title, text }) => [kind, title, text]),
  );
  return {
    said,
    onTheWay: (shown.on_the_way as { text: string }[] | undefined)?.map(({ text }) => text),
    tokens: [listed.tokens, shown.tokens, stats.tokens],
    turns: [listed.turns, shown.steps.length],
    tools: ofTools(shown.tools),
    counted: Object.entries(stats.tools as Record<string, { count: number }>)
      .map(([tool, { count }]) => [tool, count])
      .sort(),
  };
}

describe('records that are in a log again with other ids count once, and are shown once', () => {
  test.each([
    ['from the first prompt on', 0],
    ['from the middle on', Math.floor(EVENTS.length / 2)],
    ['the last three', EVENTS.length - 3],
  ])('%s', async (_, from) => {
    expect(await countsOf([...EVENTS, ...copied(EVENTS.slice(from))])).toEqual(await countsOf(EVENTS));
  });

  test('each of them alone, right after the first', async () => {
    const whole = await countsOf(EVENTS);
    for (const [at, event] of EVENTS.entries())
      if (event['type'] === 'user' || event['type'] === 'assistant')
        expect(
          await countsOf([...EVENTS.slice(0, at + 1), ...copied([event]), ...EVENTS.slice(at + 1)]),
        ).toEqual(whole);
  });
});

test('the same prompt at another time, and the same answer to another request, count again', async () => {
  const later = (text: string) =>
    text.replaceAll('2026-', '2027-').replaceAll('"req_', '"req_2').replaceAll('"toolu_', '"toolu_2');
  const again = copied(EVENTS).map((event) => JSON.parse(later(JSON.stringify(event))) as JsonObject);
  const [once, twice] = (await Promise.all([countsOf(EVENTS), countsOf([...EVENTS, ...again])])) as {
    turns: number[];
  }[];
  expect(twice?.turns).toEqual(once?.turns.map((turns) => 2 * turns));
});
