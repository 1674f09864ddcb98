import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Behaviour } from '../../src/read/compare/behaviour.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempFile } from '../support/temp.ts';

const CODEX = join(SAMPLES, 'codex/sessions/2026/11/22');
const COPILOT = join(SAMPLES, 'copilot/session-state');
const CLAUDE = join(SAMPLES, 'claude-code/projects');
const LEDGER = join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl');

/** Two runs of one task by two versions of Codex. */
const TWICE = [
  join(CODEX, 'rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl'),
  join(CODEX, 'rollout-2026-11-22T08-35-41-01a20265-94b7-76a3-be39-f4c28319c6fc.jsonl'),
] as const;

const episode = (id: string): string => join(EXAMPLES, '.noesis/episodes', id);

const PAIRS: readonly (readonly [dialect: string, a: string, b: string])[] = [
  ['codex', ...TWICE],
  [
    'claude-code',
    join(CLAUDE, '-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl'),
    join(CLAUDE, '-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl'),
  ],
  [
    'copilot',
    join(COPILOT, '78f0d2e6-72c9-40a3-826e-202621740d7a'),
    join(COPILOT, '6450a846-75cb-4923-8463-392f5c935b8a'),
  ],
  [
    'exarchos',
    join(SAMPLES, 'exarchos/side-demo.before-merge.events.jsonl'),
    join(SAMPLES, 'exarchos/side-demo.after-merge.events.jsonl'),
  ],
  [
    'coordinator',
    join(SAMPLES, 'coordinator/interrupted-session1.jsonl'),
    join(SAMPLES, 'coordinator/nested-two-sessions.jsonl'),
  ],
  ['fishbowl', `${LEDGER}#4f88de22`, `${LEDGER}#`],
  ['noesis', episode('ep_01KJPWD6M0GKJVH2GKEFTDNN55'), episode('ep_01KJQ6PSG0DGB6DN0XWB2R05AD')],
];

/** The second run of the ledger. */
async function secondRun(): Promise<string> {
  const { stdout } = await runHere(['list', LEDGER, '-j']);
  const runs: { path: string }[] = JSON.parse(stdout);
  return runs.find(({ path }) => !path.includes('#4f88de22'))?.path ?? '';
}

test('diff names the stored events of a session that the other run has no counterpart of, with their number in each', async () => {
  const { stdout } = await runHere(['diff', ...TWICE]);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toMatch(
    /; events without a counterpart, by type: event_msg\/task_started \(1 in A\), .* and \d+ more \(-j\)/,
  );
  expect(text).not.toContain('only in one run');
  const { stored } = JSON.parse((await runHere(['diff', ...TWICE, '-j'])).stdout);
  // Both runs have this one, at different places.
  expect(stored.only).toContainEqual({ name: 'response_item/function_call', a: 1, b: 1 });
});

describe('diff says first what the runs did', () => {
  test.each(PAIRS)('%s', async (dialect, a, b) => {
    const other = dialect === 'fishbowl' ? await secondRun() : b;
    const { code, stdout } = await runHere(['diff', a, other, '--limit', '3'], { env: { TZ: 'UTC' } });
    expect(code).toBe(dialect === 'codex' ? 0 : 1);
    // The stored events of other formats follow; other tests compare them.
    expect(stdout.replace(/\n(?:\n)?First difference[\s\S]*/, '\n')).toMatchSnapshot();
  });
});

/** A record of Codex. */
const record = (payload: JsonObject): JsonObject => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'response_item',
  payload,
});

const prompt = record({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] });

const answer = (text: string): JsonObject =>
  record({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });

function call(command: string, exitCode: number): readonly JsonObject[] {
  const output = JSON.stringify({ output: `${exitCode}`, metadata: { exit_code: exitCode } });
  return [
    record({
      type: 'function_call',
      name: 'shell',
      arguments: JSON.stringify({ command }),
      call_id: command,
    }),
    record({ type: 'function_call_output', call_id: command, output }),
  ];
}

const log = (...records: readonly JsonObject[]): string =>
  tempFile([prompt, ...records].map((one) => `${JSON.stringify(one)}\n`).join(''), 'rollout-a.jsonl');

async function behaviourOf(a: string, b: string): Promise<Behaviour & { readonly code: number }> {
  const { code, stdout } = await runHere(['diff', a, b, '-j']);
  const { equal, behaviour }: { equal: boolean; behaviour: Behaviour } = outputIn(stdout);
  expect([equal, code]).toEqual([behaviour.same, behaviour.same ? 0 : 1]);
  return { ...behaviour, code };
}

test('sessions that did the same are equal, even if their stored events differ', async () => {
  const { same, sameSteps, steps, renamed, failed, tokens } = await behaviourOf(...TWICE);
  expect({ same, sameSteps, steps, renamed, failed }).toEqual({
    same: true,
    sameSteps: 5,
    steps: [],
    renamed: [{ a: 'exec_command', b: 'shell' }],
    failed: { both: 1, only: [] },
  });
  expect(tokens).toEqual({ a: 5700, b: 5700 });
  const { code, stdout } = await runHere(['diff', ...TWICE]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('as far as runs with different tools can be compared'),
  ]);
});

test('a session of an older version without a number is compared by what its calls do, if its shell has another name', async () => {
  const [newer] = TWICE;
  const older = join(
    SAMPLES,
    'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-43-fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1.jsonl',
  );
  const { programs, sameSteps, steps, renamed, results } = await behaviourOf(newer, older);
  expect({ programs, sameSteps, steps, renamed }).toEqual({
    programs: 'two',
    sameSteps: 5,
    steps: [],
    renamed: [{ a: 'exec_command', b: 'shell' }],
  });
  expect(results).toMatchObject({ same: 5, differ: [] });
});

test.each([['--exact'], ['--times'], ['--only', 'call'], ['--ignore', 'timestamp']])(
  'the stored events of sessions are compared with %s',
  async (...options) => {
    const { code, stdout } = await runHere(['diff', ...TWICE, ...options]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^First difference: /m)]);
  },
);

test('a call that only one run has, and one that failed in one only, make a difference', async () => {
  const a = log(...call('make', 0), ...call('make test', 1), answer('done'));
  const b = log(...call('make test', 0), ...call('make lint', 0), answer('done'));
  const { steps, failed, sameTexts } = await behaviourOf(a, b);
  expect(steps).toMatchObject([{ a: { line: 2, text: 'make' } }, { b: { line: 4, text: 'make lint' } }]);
  expect(failed).toMatchObject({ both: 0, only: [{ a: { line: 4, resultLine: 5, text: 'make test' } }] });
  expect(sameTexts).toBe(2);
  expect((await runHere(['diff', a, TWICE[0]])).stdout).toMatch(/^Tokens {4}unknown +5,700$/m);
  const reversed = await behaviourOf(b, a);
  expect(reversed.failed).toMatchObject({ only: [{ b: { line: 4, resultLine: 5 } }] });
});

test('other answers and other files make a difference', async () => {
  expect(await behaviourOf(log(answer('yes')), log(answer('no')))).toMatchObject({
    sameSteps: 0,
    texts: [{ a: { text: 'yes' } }, { b: { text: 'no' } }],
  });
  const shop = join(CLAUDE, '-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const other = join(CLAUDE, '-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl');
  const { files } = await behaviourOf(shop, other);
  expect(files.a).toEqual(['/home/usr/shop/rate.js']);
  expect((await runHere(['diff', shop, shop])).stdout).toContain('Files     both changed 1 file');
  expect((await runHere(['diff', other, shop])).stdout).toContain('only B changed /home/usr/shop/rate.js');
});

test('differences beyond --limit are counted, and hostile text stays text', async () => {
  const many = Array.from({ length: 8 }, (_, index) => call(`\u001b[31m make ${index}`, 0)).flat();
  const { stdout } = await runHere(['diff', log(...many), log(), '--limit', '2']);
  expect(stdout).toContain('  and 6 more: --limit, or -j');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/^Calls {5}8 in A only$/m);
  expect(stdout).toMatch(/^Lasted {4}0 ms +unknown$/m);
  const without = tempFile(`${JSON.stringify({ ...prompt, timestamp: undefined })}\n`, 'rollout-b.jsonl');
  expect((await runHere(['diff', without, without, '--dialect', 'codex'])).code).toBe(0);
});
