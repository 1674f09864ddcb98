import { basename, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StepDifference } from '../../src/read/compare/behaviour.ts';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { times } from '../support/length.ts';

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
