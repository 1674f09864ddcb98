import { readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StepDifference } from '../../src/read/compare/behaviour.ts';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

/** `diff -j`, as far as steps are concerned. */
interface Printed {
  readonly equal: boolean;
  readonly behaviour: {
    readonly same: boolean;
    readonly same_steps: number;
    readonly parting?: StepDifference & { readonly after: number; readonly kind: string };
    readonly steps: readonly StepDifference[];
    readonly renamed: readonly { readonly a: string; readonly b: string }[];
    readonly results: { readonly same: number; readonly differ: readonly StepDifference[] };
  };
}

const compared = async (a: string, b: string): Promise<Printed> =>
  JSON.parse((await runHere(['diff', a, b, '-j'])).stdout) as Printed;

/** Each difference of steps that both runs have. */
const pairsIn = ({ behaviour: { parting, steps, results } }: Printed): readonly StepDifference[] =>
  [...steps, ...results.differ, ...(parting?.fields ? [parting] : [])].filter(({ a, b }) => a && b);

/** The first samples of each dialect that are not damaged. */
const LOGS = SESSION_DIALECTS.flatMap((dialect) =>
  sampleLogs(dialect)
    .filter((log) => !log.split(sep).includes('damaged'))
    .slice(0, times(4, 2)),
);

/** A line of the text that says what differs. If the log of one program has no models, the table says so. */
const NAMES_A_DIFFERENCE =
  /^(?:They part|Model .*(?: in A, | another model | does not name | unknown$)|(?:Calls|Steps|Results|Failed|Texts|Files|Outcome|Subagents|Logs) .*(?:differ|in [AB] only|reason)|the steps are the same, but)/;

describe.each(LOGS.map((log, at) => ({ name: basename(log), log, at })))('$name', ({ log, at }) => {
  test('differs from other samples only in what is shown', async () => {
    for (const other of LOGS.slice(at + 1)) {
      const printed = await compared(log, other);
      for (const { fields = [] } of pairsIn(printed)) {
        expect(fields, `${log} ${other}`).not.toEqual([]);
        for (const { a, b } of fields) expect(JSON.stringify(a)).not.toBe(JSON.stringify(b));
      }
      expect(printed.behaviour.steps.filter(({ a, b, fields }) => a && b && !fields)).toEqual([]);
    }
  });

  test('names what differs if, and only if, it exits with 1', async () => {
    for (const other of [...LOGS, ...LOGS].slice(at + 1, at + 1 + times(8, 2))) {
      const { stdout, code } = await runHere(['diff', log, other]);
      const named = stdout.split('\n').some((line) => NAMES_A_DIFFERENCE.test(line));
      expect(named, `${log} ${other}\n${stdout}`).toBe(code === 1);
    }
  });
});

describe('two runs that ended with one error, of which only one log names the model', () => {
  const pair = [
    join(SAMPLES, 'qwen/api-error-0.24.4.jsonl'),
    join(SAMPLES, 'pi/v3-api-error-0.50.3.jsonl'),
  ] as const;

  test('differ in the model, and not in what each program calls an error', async () => {
    const printed = await compared(...pair);
    expect(printed).toMatchObject({
      equal: false,
      outcome: [],
      behaviour: { models: { a: ['made-up-1'], b: ['kiln/made-up-1'] } },
    });
    const { stdout } = await runHere(['diff', ...pair]);
    expect(stdout).toContain('\nModel     made-up-1  kiln/made-up-1\n');
    expect(stdout).not.toContain('Failed');
  });
});

test('two runs do not part where one program wrote before the call that the user cancelled it', async () => {
  const pair = [
    join(SAMPLES, 'gemini/cancel-compress-rewind-0.61.0.jsonl'),
    join(SAMPLES, 'qwen/interrupts-compress-0.24.4.jsonl'),
  ] as const;
  for (const [a, b] of [pair, pair.toReversed()] as [string, string][]) {
    const { behaviour } = await compared(a, b);
    expect(behaviour.parting).toMatchObject({
      kind: 'result',
      a: { what: 'run_shell_command' },
      b: { what: 'run_shell_command' },
    });
  }
});

const QWEN = join(SAMPLES, 'qwen', 'resumed-0.24.4.jsonl');

describe('two programs that did the same', () => {
  test.each([
    ['write the path in two ways', join(SAMPLES, 'gemini', 'resumed-0.61.0.jsonl'), []],
    [
      'write the path from the root and from the working directory',
      join(SAMPLES, 'pi', 'v3-plain-resumed-0.87.1.jsonl'),
      [
        { a: 'read_file', b: 'read' },
        { a: 'write_file', b: 'write' },
      ],
    ],
  ])('%s: the calls are the same, and one has another result', async (_, other, renamed) => {
    for (const pair of [
      [QWEN, other],
      [other, QWEN],
    ] as const) {
      const { behaviour } = await compared(...pair);
      expect(behaviour).toMatchObject({
        same_steps: 4,
        steps: [],
        results: { same: 3, differ: [{ fields: [{ path: 'status' }, { path: 'output' }] }] },
        parting: { after: 8, kind: 'result', fields: [{ path: 'status' }, { path: 'output' }] },
      });
      expect(behaviour.renamed).toEqual(
        pair[0] === QWEN ? renamed : renamed.map(({ a, b }) => ({ a: b, b: a })),
      );
    }
  });
});

describe('two sessions with the same steps, of which only one is over', () => {
  // The last answer of the second one says that a call follows.
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const last = lines.findLastIndex((line) => line.includes('"stop_reason":"end_turn"'));
  const ending = (reason: string) =>
    tempFile(
      lines
        .slice(0, last + 1)
        .map((line, at) => `${at === last ? line.replace('"end_turn"', JSON.stringify(reason)) : line}\n`)
        .join(''),
      basename(log),
    );

  test('differ, and the comparison says how they ended', async () => {
    const { code, stdout } = await runHere(['diff', ending('end_turn'), ending('tool_use')]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Status +done +open$/m);
    expect(stdout).toContain('the steps are the same, but the runs ended differently');
    expect(stdout).not.toContain('no difference');
  });

  test('are the same if only the stored reason differs, which the comparison names', async () => {
    const { code, stdout } = await runHere(['diff', ending('end_turn'), ending('stop_sequence')]);
    expect(code).toBe(0);
    expect(stdout).toContain('message.stop_reason (1 event)');
    expect(stdout).toContain('no difference in what the runs did; differences in storage do not count');
  });
});
