import { defined } from '../../base/json/defined.ts';
import { atLeastCell, countText } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { failedSum } from '../../dialects/kit/failed-calls.ts';
import { costCell, costInTable, sourcesText } from '../../dialects/kit/prices.ts';
import { lacksCalls } from '../../dialects/kit/usage-words.ts';
import type { CallStatus } from '../../dialects/sessions/kit/session.ts';
import type { Behaviour, RunFacts } from '../../read/compare/behaviour.ts';
import type { ComparedRun } from '../../read/compare/run-difference.ts';
import { copiedCounts } from './story-words.ts';
import { plural, withFailed } from './tally.ts';

// The table of the numbers of two runs, for the terminal and the page.

const LAST_TESTS: Partial<Record<CallStatus, string>> = { ok: 'passed', error: 'failed' };

/** `3 runs, 1 failed, the last passed`. A log with damaged lines may have had more, also after the last known one. */
function testsText(facts: RunFacts, run: RunOfTable): string {
  const { last, ...tests } = facts.tests;
  // Not every command that runs tests is known.
  if (tests.calls === 0) return 'none known';
  const isMixed = tests.failed > 0 && tests.failed < tests.calls;
  const isLeast = mayHaveMore(facts, run);
  const end = isMixed && last ? LAST_TESTS[last] : undefined;
  const ends = end === undefined ? '' : `, the last ${isLeast ? 'known one ' : ''}${end}`;
  return atLeastCell(isLeast, `${withFailed(tests.calls, 'run', tests)}${ends}`);
}

/** The files that calls changed: `0; 2 commands may have changed more`. */
function writtenText(facts: RunFacts, run: RunOfTable): string {
  const { files, writers = 0 } = facts;
  const least = leastCell(files, facts, run);
  return writers === 0 ? least : `${least}; ${plural(writers, 'command')} may have changed more`;
}

/** The name of a row, its text for a run, and what an empty text means; absent: it is unknown. */
type FactRow = readonly [
  name: string,
  text: (facts: RunFacts, run: RunOfTable) => string,
  empty?: 'none' | undefined,
];

/** Whether a log may have had more calls, on damaged lines or in missing records. */
const mayHaveMore = ({ lacks }: RunFacts, { skipped }: RunOfTable): boolean =>
  lacksCalls(lacks ?? defined({ lines: skipped?.count }));

/** A number of calls, or how long the agent worked. A log with damaged lines may have had more. */
const leastCell = (amount: number | string, facts: RunFacts, run: RunOfTable): string =>
  atLeastCell(mayHaveMore(facts, run), amount);

/** What a log has from another session: `3 turns and 5 calls, which changed 1 file; only compared`. */
function copiedCell({ copied, copied_files: files = 0 }: RunFacts): string {
  if (copied === undefined) return '';
  return files === 0
    ? `${copiedCounts(copied)}, only compared`
    : `${copiedCounts(copied)}, which changed ${plural(files, 'file')}; only compared`;
}

const CALL_ROWS: readonly FactRow[] = [
  ['Calls', (facts, run) => leastCell(facts.calls, facts, run)],
  ['Failed', (facts, run) => leastCell(failedSum(facts), facts, run)],
  ['Tests', testsText],
  ['Files', writtenText],
  ['Copied', copiedCell, 'none'],
];

/** What a table needs of a run, or of a part of one, in addition to its numbers. */
type RunOfTable = Pick<ComparedRun, 'status' | 'durationMs' | 'skipped'> &
  Partial<Pick<ComparedRun, 'dialect'>>;

/** Where the prices of two costs come from, without repetition. */
const sourcesOfCosts = ({ a, b }: Behaviour['facts']): string[] => [
  ...new Set(
    [a, b].flatMap(({ cost }) =>
      cost === undefined || cost.amount === null ? [] : sourcesText(cost.prices),
    ),
  ),
];

/** Where the prices of both costs come from, below the numbers; empty without a source, or if each cost has its own. */
export function sourceOfCosts(facts: Behaviour['facts']): string {
  const [source, ...others] = sourcesOfCosts(facts);
  return source === undefined || others.length > 0 ? '' : `costs: ${source}`;
}

/**
 * The numbers of both runs, as rows with a name. Rows without a value in either run are left out, and those about calls if
 * neither run has a call.
 */
export function factRows(
  { a, b }: Behaviour['facts'],
  runs: { readonly a: RunOfTable; readonly b: RunOfTable },
): readonly (readonly [name: string, a: string, b: string])[] {
  const isOneSource = sourcesOfCosts({ a, b }).length < 2;
  const isOneDialect = runs.a.dialect === runs.b.dialect;
  const rows: readonly FactRow[] = [
    ['Dialect', (_, { dialect = '' }) => (isOneDialect ? '' : dialect)],
    ['Folder', ({ folder = '' }) => (a.folder === b.folder ? '' : folder)],
    ['Model', ({ models }) => models.join(', ')],
    ['Status', (_, { status = '' }) => status],
    ['Cost', ({ cost }) => (cost === undefined ? '' : isOneSource ? costCell(cost) : costInTable(cost))],
    [
      'Tokens',
      ({ tokens, lacks }) =>
        tokens === undefined ? '' : atLeastCell(lacks !== undefined, countText(tokens)),
    ],
    [
      'Worked',
      ({ workedMs, isWorkMinimum = false }) =>
        workedMs === undefined ? '' : atLeastCell(isWorkMinimum, formatDuration(workedMs)),
    ],
    ['Lasted', (_, { durationMs }) => (durationMs === undefined ? '' : formatDuration(durationMs))],
    ...(a.calls + b.calls === 0 ? [] : CALL_ROWS),
  ];
  return rows
    .map(([name, text, empty = 'unknown']) => ({ name, empty, ofA: text(a, runs.a), ofB: text(b, runs.b) }))
    .filter(({ ofA, ofB }) => ofA !== '' || ofB !== '')
    .map(({ name, empty, ofA, ofB }) => [name, ofA || empty, ofB || empty] as const);
}
