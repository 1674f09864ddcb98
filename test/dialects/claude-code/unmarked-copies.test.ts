import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Copied } from '../../../src/dialects/kit/copied.ts';
import { type Tokens, totalTokens } from '../../../src/dialects/kit/tokens.ts';
import { states } from '../../../src/dialects/sessions/claude-code/states.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';

// Sessions that begin with copies of the records of others, and do not say so (decision 0018).

type Rec = Readonly<Record<string, unknown>>;

const [FIRST, SECOND, THIRD] = [
  'f0000000-0000-4000-8000-000000000001',
  'e0000000-0000-4000-8000-000000000002',
  'd0000000-0000-4000-8000-000000000003',
] as const;

const FOLDER = '.claude/projects/-work';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 2, 10) + second * 1000).toISOString();

/** A prompt and its answer with `second` tokens. The records are linked with the one before. */
function turn(second: number, parent: string | null): Rec[] {
  const common = { isSidechain: false, cwd: '/work', version: '2.1.330' };
  const usage = { input_tokens: second, output_tokens: 0 };
  return [
    {
      ...common,
      uuid: `q${second}`,
      parentUuid: parent,
      type: 'user',
      timestamp: at(second),
      message: { role: 'user', content: `Question ${second}` },
    },
    {
      ...common,
      uuid: `a${second}`,
      parentUuid: `q${second}`,
      type: 'assistant',
      timestamp: at(second + 5),
      requestId: `req_${second}`,
      message: {
        id: `msg_${second}`,
        role: 'assistant',
        model: 'claude-sonnet-5',
        stop_reason: 'end_turn',
        usage,
        content: [{ type: 'text', text: `Answer ${second}` }],
      },
    },
  ];
}

/** Records of a session. */
const of = (sessionId: string, records: readonly Rec[]): Rec[] =>
  records.map((record) => ({ ...record, ...('uuid' in record && { sessionId }) }));

/** What the program writes between records while it works. */
const SNAPSHOT = { type: 'file-history-snapshot', messageId: 'q100', snapshot: {}, isSnapshotUpdate: false };

/** A compaction, after which the conversation begins again. */
const boundary = (second: number, before: string): Rec => ({
  uuid: `c${second}`,
  parentUuid: null,
  logicalParentUuid: before,
  isSidechain: false,
  type: 'system',
  subtype: 'compact_boundary',
  timestamp: at(second),
});

/** A home with these sessions. */
function homeOf(sessions: Readonly<Record<string, readonly Rec[]>>): string {
  return writeTree(
    Object.fromEntries(
      Object.entries(sessions).map(([id, records]) => [
        `${FOLDER}/${id}.jsonl`,
        records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      ]),
    ),
  );
}

async function json(home: string, ...args: string[]) {
  return JSON.parse((await runHere([...args, '-j'], { home, cwd: home })).stdout);
}

interface Listed {
  readonly episode: string;
  readonly tokens: Tokens;
  readonly forked_from?: string;
}

/** The tokens of each session, after every command was asked for them, with the session from which it was copied. */
async function toldIn(home: string): Promise<Record<string, readonly [tokens: number, from?: string]>> {
  const listed: readonly Listed[] = await json(home, 'list');
  const again = await json(home, 'list');
  expect(again).toEqual(listed);
  const told: Record<string, readonly [number, string?]> = {};
  for (const { episode, tokens, forked_from: origin } of listed) {
    for (const command of ['show', 'read', 'stats']) {
      const log = join(home, FOLDER, `${episode}.jsonl`);
      const { tokens: same, copied } = (await json(home, command, log)) as {
        tokens: Tokens;
        copied?: Copied;
      };
      expect([episode, command, same && totalTokens(same)]).toEqual([episode, command, totalTokens(tokens)]);
      if (command !== 'stats') expect(copied?.from).toBe(origin);
    }
    told[episode] = origin === undefined ? [totalTokens(tokens)] : [totalTokens(tokens), origin];
  }
  const { tokens, copied_tokens: copied } = await json(home, 'stats');
  const sum = Object.values(told).reduce((all, [one]) => all + one, 0);
  expect([totalTokens(tokens), copied]).toEqual([sum, undefined]);
  return told;
}

/** The records of three turns, of which the second follows a line that the program wrote. */
const began = [...turn(100, null), SNAPSHOT, ...turn(200, 'a100')];
const history = began.filter((record) => 'uuid' in record);

describe('copies without a mark count in the session from which they are', () => {
  test('whether that was continued or not, and in sessions that continue each other', async () => {
    const home = homeOf({
      [FIRST]: of(FIRST, [...began, ...turn(900, 'a200')]),
      [SECOND]: of(SECOND, [...history, ...turn(300, 'a200'), SNAPSHOT]),
      [THIRD]: of(THIRD, [...history, ...turn(300, 'a200'), ...turn(400, 'a300')]),
    });
    expect(await toldIn(home)).toEqual({
      [FIRST]: [1200],
      [SECOND]: [300, FIRST],
      [THIRD]: [400, SECOND],
    });
  });

  test('if they kept the id of their session', async () => {
    const home = homeOf({
      [FIRST]: of(FIRST, began),
      [SECOND]: [...of(FIRST, history), ...of(SECOND, turn(300, 'a200'))],
      [THIRD]: [...of(FIRST, history), ...of(SECOND, turn(300, 'a200')), ...of(THIRD, turn(400, 'a300'))],
    });
    const told = { [FIRST]: [300], [SECOND]: [300, FIRST], [THIRD]: [400, SECOND] };
    expect(await toldIn(home)).toEqual(told);
    rmSync(join(home, FOLDER, `${FIRST}.jsonl`));
    expect(await toldIn(home)).toEqual({ [SECOND]: told[SECOND], [THIRD]: told[THIRD] });
  });

  test('if a copy with the id of its session is copied once more, with a new id', async () => {
    const home = homeOf({
      [FIRST]: of(FIRST, began),
      [SECOND]: [...of(FIRST, history), ...of(SECOND, turn(300, 'a200')), SNAPSHOT],
      [THIRD]: of(THIRD, [...history, ...turn(300, 'a200'), ...turn(400, 'a300')]),
    });
    expect(await toldIn(home)).toEqual({
      [FIRST]: [300],
      [SECOND]: [300, FIRST],
      [THIRD]: [400, SECOND],
    });
  });

  test('if only what follows a compaction was copied', async () => {
    const compacted = [boundary(250, 'a200'), ...turn(300, 'c250')];
    const home = homeOf({
      [FIRST]: of(FIRST, [...began, ...compacted]),
      [SECOND]: of(SECOND, [...compacted, ...turn(400, 'a300')]),
      [THIRD]: of(THIRD, [...compacted, ...turn(500, 'a300')]),
    });
    expect(await toldIn(home)).toEqual({ [FIRST]: [600], [SECOND]: [400, FIRST], [THIRD]: [500, FIRST] });
  });

  test('if the origin begins with records that were not copied', async () => {
    const aside = turn(50, null).map((record) => ({ ...record, isSidechain: true }));
    const home = homeOf({
      [FIRST]: of(FIRST, [...aside, ...began]),
      [SECOND]: of(SECOND, [...history, ...turn(300, 'a200')]),
    });
    expect(await toldIn(home)).toMatchObject({ [SECOND]: [300, FIRST] });
  });

  test('until the origin is gone', async () => {
    const home = homeOf({
      [FIRST]: of(FIRST, began),
      [SECOND]: of(SECOND, [...history, ...turn(300, 'a200')]),
    });
    expect(await toldIn(home)).toEqual({ [FIRST]: [300], [SECOND]: [300, FIRST] });
    rmSync(join(home, FOLDER, `${FIRST}.jsonl`));
    expect(await toldIn(home)).toEqual({ [SECOND]: [600] });
  });
});

test('a log under the name of another session has no copies', async () => {
  const home = homeOf({ [SECOND]: of(FIRST, [...began, ...turn(300, 'a200')]) });
  expect(await toldIn(home)).toEqual({ [SECOND]: [600] });
});

test('the state of a session on a page does not have what was copied', async () => {
  const records = of(SECOND, [...history, ...turn(300, 'a200')]);
  const home = homeOf({ [FIRST]: of(FIRST, began), [SECOND]: records });
  const log = join(home, FOLDER, `${SECOND}.jsonl`);
  const { copied } = (await json(home, 'read', log)) as { copied: Copied };
  expect(copied).toEqual({ from: FIRST, turns: 2, calls: 0, lines: [1, 4] });
  const fold = states.fold(undefined, undefined, copied);
  records.forEach((record, place) => {
    fold.addEvent(record as never, place + 1);
  });
  expect(JSON.parse(JSON.stringify(fold.result().value))).toEqual(await json(home, 'project', log));
});
