import { describe, expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempFile } from '../support/temp.ts';

const ID = '5e550000-0000-4000-8000-0000000000ab';

/** How a call without success ends, as the members of the record of its result. */
const ENDS = {
  failed: { is_error: true, content: 'Exit code 3' },
  refused: { is_error: true, content: 'Permission to use Bash has been denied.' },
  interrupted: { is_error: true, content: 'stopped' },
  'no result': undefined,
} as const;
type End = keyof typeof ENDS;

const ALL_ENDS = { ...ENDS, passed: { content: 'fine' } };

/** A session of Claude Code whose calls of `make` end like this. */
function session(...ends: readonly (keyof typeof ALL_ENDS)[]): string {
  const records = ends.flatMap((end, at) => [
    {
      type: 'assistant',
      message: {
        id: `msg_${at}`,
        role: 'assistant',
        content: [
          { type: 'tool_use', id: `toolu_${at}`, name: 'Bash', input: { command: `make test ${at}` } },
        ],
      },
    },
    ...(ALL_ENDS[end] === undefined
      ? []
      : [
          {
            type: 'user',
            message: {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, ...ALL_ENDS[end] }],
            },
            ...(end === 'interrupted' && { toolDenialKind: 'interrupted' }),
          },
        ]),
  ]);
  const all = [
    { type: 'user', message: { role: 'user', content: 'go' } },
    ...records,
    { type: 'user', message: { role: 'user', content: 'stop here' } },
  ];
  const lines = all.map((record, at) =>
    JSON.stringify({
      ...record,
      uuid: `u${at}`,
      parentUuid: at === 0 ? null : `u${at - 1}`,
      timestamp: `2026-01-01T00:00:0${at}.000Z`,
      sessionId: ID,
      cwd: '/w',
      version: '2.1.0',
    }),
  );
  return tempFile(`${lines.join('\n')}\n`, `${ID}.jsonl`);
}

interface Failed {
  readonly both: number;
  readonly refused?: number;
  readonly interrupted?: number;
  readonly only: readonly { readonly a?: { how?: string }; readonly b?: { how?: string } }[];
}

async function failedIn(a: string, b: string): Promise<{ text: string; failed: Failed; code: number }> {
  const { stdout, code } = await runHere(['diff', a, b]);
  // The table above has a row of this name too.
  const text = /^Failed {4}(.*)$/m.exec(stdout.slice(stdout.lastIndexOf('\nCalls ')))?.[1] ?? '';
  const json = await runHere(['diff', a, b, '-j']);
  const { behaviour } = outputIn(json.stdout) as { behaviour: { failed: Failed } };
  return { text, failed: behaviour.failed, code };
}

const PAIRS = Object.keys(ENDS).flatMap((a) => Object.keys(ENDS).map((b) => [a, b] as [End, End]));

describe('a call of two runs', () => {
  test.each(PAIRS.filter(([a, b]) => a !== b))('that is %s in A and %s in B has two ends', async (a, b) => {
    const { text, failed, code } = await failedIn(session(a), session(b));
    expect(text).toContain(`1 ${a} in A, ${b} in B`);
    expect(text).not.toContain('the same');
    expect(failed).toMatchObject({ both: 0, only: [{ a: { failed: true }, b: { failed: true } }] });
    expect([failed.refused, failed.interrupted, code]).toEqual([undefined, undefined, 1]);
  });

  test.each(PAIRS.filter(([a, b]) => a === b))('that is %s in both has one end', async (a, b) => {
    const { text, failed } = await failedIn(session(a), session(b));
    expect(text).toContain('1 call, in both');
    expect(failed).toMatchObject({ both: 1, only: [] });
  });
});

test('calls with two ends are counted apart from those with one, and from calls of one run', async () => {
  const { text, failed } = await failedIn(
    session('failed', 'failed', 'refused'),
    session('failed', 'refused', 'refused', 'refused'),
  );
  expect(text).toBe('2 the same, 1 in B only (2 refused); 1 failed in A, refused in B');
  expect([failed.both, failed.refused, failed.only.length]).toEqual([2, 2, 2]);
});

test.each([
  [['failed', 'passed'], '2 runs, 1 failed, the last passed', 'ok'],
  [['passed', 'failed'], '2 runs, 1 failed, the last failed', 'error'],
  [['failed', 'failed'], '2 runs, 2 failed', 'error'],
  [['passed', 'passed'], '2 runs', 'ok'],
  [['passed', 'refused'], '2 runs, 1 refused', 'denied'],
] as const)('diff says how the last tests of a run ended: %s', async (ends, text, last) => {
  const [a, b] = [session(...ends), session('passed')];
  expect(/^Tests +(.*?) {2,}1 run$/m.exec((await runHere(['diff', a, b])).stdout)?.[1]).toBe(text);
  const { behaviour } = outputIn((await runHere(['diff', a, b, '-j'])).stdout) as {
    behaviour: { facts: { a: { tests: object } } };
  };
  expect(behaviour.facts.a.tests).toMatchObject({ last });
});
