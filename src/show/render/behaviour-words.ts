import { defined } from '../../base/json/defined.ts';
import { atLeast, atLeastCell, countText } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { failedSum, otherwiseText, sumOfFailed } from '../../dialects/kit/failed-calls.ts';
import { costCell, costInTable, sourcesText, stepCost } from '../../dialects/kit/prices.ts';
import { lacksCalls } from '../../dialects/kit/usage.ts';
import type { CallStatus } from '../../dialects/sessions/kit/session.ts';
import type {
  Behaviour,
  ComparedStep,
  FileDifference,
  LogBehaviour,
  PartingPoint,
  RunFacts,
  StepDifference,
} from '../../read/compare/behaviour.ts';
import type { FieldDifference } from '../../read/compare/content.ts';
import { reasonOf } from '../../read/compare/reason.ts';
import type {
  ComparedPart,
  ComparedRun,
  DifferenceCounts,
  PartDifference,
  RunDifferenceHead,
} from '../../read/compare/run-difference.ts';
import { copiedCounts } from './story-words.ts';
import { plural, withFailed } from './tally.ts';

// What differs between two runs, in words, for the terminal and the page.

/** A step or a log of one run or of both. */
interface OneOrBoth {
  readonly a?: unknown;
  readonly b?: unknown;
}

export const isBoth = ({ a, b }: OneOrBoth): boolean => a !== undefined && b !== undefined;

/** `4 the same, 1 differs, 1 in A only`; if all are equal, `all`. */
export function counted(same: number, only: readonly OneOrBoth[], noun: string, all: string): string {
  if (same === 0 && only.length === 0) return 'none';
  if (only.length === 0) return `${plural(same, noun)}${all}`;
  const different = only.filter(isBoth).length;
  const [ofA, ofB] = [only.filter(({ b }) => !b).length, only.filter(({ a }) => !a).length];
  const parts = [
    [same, 'the same'],
    [different, different === 1 ? 'differs' : 'differ'],
    [ofA, 'in A only'],
    [ofB, 'in B only'],
  ] as const;
  return parts
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${countText(count)} ${word}`)
    .join(', ');
}

/** Parts of two runs, whose calls, failures and files the numbers of the runs include. */
type Parts = readonly Pick<PartDifference, 'behaviour' | 'a' | 'b'>[];

/** Adds to what the logs of the runs say what those of their parts say. */
function withPartsText(own: string, inParts: string, parts: Parts): string {
  if (inParts === '' || inParts === 'none') return own;
  const where = partsLabel(parts) === 'Logs' ? 'in further logs' : 'in subagents';
  return [own, `${where}: ${inParts}`].filter((text) => text !== '').join('; ');
}

/** The calls of two runs, or their steps: `2 the same, 1 in A only; in subagents: 2 in A only`. */
export function stepsText(
  { unit, sameSteps, steps, renamed }: Pick<LogBehaviour, 'unit' | 'sameSteps' | 'steps' | 'renamed'>,
  parts: Parts = [],
): string {
  const tools = [...new Set(renamed.map(({ a }) => a))];
  const namesInB = (tool: string) => renamed.flatMap(({ a, b }) => (a === tool ? b : [])).join(', ');
  const names = tools.map((tool) => `; ${tool} in A is ${namesInB(tool)} in B`).join('');
  const all = parts.map(({ behaviour }) => behaviour).filter((one) => one.unit === 'call');
  const same = all.reduce((sum, one) => sum + one.sameSteps, 0);
  const inParts = counted(
    same,
    all.flatMap((one) => one.steps),
    'call',
    ', the same',
  );
  return withPartsText(
    counted(sameSteps, steps, unit, ', the same in the same order') + names,
    inParts,
    parts,
  );
}

/** How many of the calls without success did not fail by themselves: ` (1 refused)`. */
function stoppedText(all: readonly LogBehaviour['failed'][]): string {
  const words = otherwiseText(sumOfFailed(all.map((one) => ({ ...one, failed: 0 }))));
  return words === '' ? '' : ` (${words})`;
}

/** How a call ended without success. */
const endOf = ({ how }: ComparedStep): string => how ?? 'failed';

/** Calls that failed in both runs, but not alike: `1 failed in A, refused in B`. */
function otherwiseTexts(only: readonly StepDifference[]): string[] {
  const ends = only.flatMap(({ a, b }) => (a && b ? `${endOf(a)} in A, ${endOf(b)} in B` : []));
  return [...new Set(ends)].map((end) => `${ends.filter((one) => one === end).length} ${end}`);
}

/** The failures of some logs: `1 call, in both; 1 failed in A, refused in B`. */
function failuresText(all: readonly LogBehaviour['failed'][], unit: string): string {
  const both = all.reduce((sum, one) => sum + one.both, 0);
  const only = all.flatMap((one) => one.only);
  const alone = only.filter((one) => !isBoth(one));
  const otherwise = otherwiseTexts(only);
  const own = counted(both, alone, unit, ', in both') + stoppedText(all);
  return own === 'none' && otherwise.length > 0 ? otherwise.join('; ') : [own, ...otherwise].join('; ');
}

/** The failures of two runs: `1 call, in both; in subagents: 1 in A only`. Empty if runs without calls have none. */
export function failedText(
  { unit, failed }: Pick<LogBehaviour, 'unit' | 'failed'>,
  parts: Parts = [],
): string {
  const all = parts.map(({ behaviour }) => behaviour).filter((one) => one.unit === 'call');
  const own = failuresText([failed], unit);
  const none = unit === 'call' ? 'no call' : '';
  const inParts = failuresText(
    all.map((one) => one.failed),
    'call',
  );
  return withPartsText(own === 'none' ? none : own, inParts, parts);
}

/** Which files both runs changed, and which only one of them, also in their parts. */
export const filesText = (files: LogBehaviour['files'], parts: Parts = []): string =>
  withPartsText(
    filesOfLogs(files),
    parts
      .map(({ behaviour }) => filesOfLogs(behaviour.files))
      .filter((text) => text !== '')
      .join(', '),
    parts,
  );

/** Which files two logs changed. */
function filesOfLogs({ both, a, b, maybe, differ }: LogBehaviour['files']): string {
  const inBoth = differ.filter(({ path }) => both.includes(path)).length;
  return [
    ...(both.length > 0 ? [`both changed ${plural(both.length, 'file')}`] : []),
    ...(inBoth > 0 ? [`${both.length === 1 ? '' : `${inBoth} of them `}with different content`] : []),
    ...a.map((path) => `only A changed ${path}`),
    ...b.map((path) => `only B changed ${path}`),
    ...maybe.map(({ path, changedIn: side }) =>
      side === 'a'
        ? `A changed ${path}, and B's commands may have changed it`
        : `B changed ${path}, and A's commands may have changed it`,
    ),
  ].join(', ');
}

const LAST_TESTS: Partial<Record<CallStatus, string>> = {
  ok: ', the last passed',
  error: ', the last failed',
};

/** `3 runs, 1 failed, the last passed`. */
function testsText({ last, ...tests }: RunFacts['tests']): string {
  // Not every command that runs tests is known.
  if (tests.calls === 0) return 'none known';
  const isMixed = tests.failed > 0 && tests.failed < tests.calls;
  return `${withFailed(tests.calls, 'run', tests)}${(isMixed && last && LAST_TESTS[last]) || ''}`;
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

/** A number of calls, or how long the agent worked. A log with damaged lines may have had more. */
const leastCell = (amount: number | string, { lacks }: RunFacts, { skipped }: RunOfTable): string =>
  atLeastCell(lacksCalls(lacks ?? defined({ lines: skipped?.count })), amount);

const CALL_ROWS: readonly FactRow[] = [
  ['Calls', (facts, run) => leastCell(facts.calls, facts, run)],
  ['Failed', (facts, run) => leastCell(failedSum(facts), facts, run)],
  ['Tests', ({ tests }) => testsText(tests)],
  ['Files', writtenText],
  ['Copied', ({ copied }) => (copied === undefined ? '' : `${copiedCounts(copied)}, only compared`), 'none'],
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

/** What the parts of two runs are called. */
export const partsLabel = (parts: readonly Pick<PartDifference, 'a' | 'b'>[]): string =>
  parts.some(({ a, b }) => (a ?? b)?.kind === 'log') ? 'Logs' : 'Subagents';

/** `2 the same, 1 differs, 1 in A only; the numbers above include them`. */
export const partsText = (parts: readonly PartDifference[]): string =>
  `${counted(
    parts.filter(({ equal }) => equal).length,
    parts.filter(({ equal }) => !equal),
    partsLabel(parts) === 'Logs' ? 'further log' : 'subagent',
    ', the same',
  )}; the numbers above include them`;

/** What a part of a run did, in a line. */
function partLine(
  { name, title, status }: ComparedPart,
  { calls, tokens, cost, lacks, ...failed }: RunFacts,
): string {
  const facts = [
    status,
    calls === 0 ? '' : withFailed(calls, 'call', failed),
    tokens === undefined ? '' : `${atLeast(lacks !== undefined, countText(tokens))} tokens`,
    stepCost(cost),
  ];
  return [[name, title].filter((text) => text !== undefined).join(': '), ...facts]
    .filter((text) => text !== '')
    .join('; ');
}

function eventsText({ changed, missing, added }: DifferenceCounts): string {
  const all = changed + missing + added;
  return all === 0 ? 'the same events' : `${plural(all, 'event')} ${all === 1 ? 'differs' : 'differ'}`;
}

/** The names of a part in both runs, or what it did in the only run that has it. */
export function partTitle({ a, b, facts, events }: PartDifference): string {
  if (a === undefined || b === undefined) {
    const [part, numbers] = a ? [a, facts.a] : [b, facts.b];
    return part && numbers ? partLine(part, numbers) : '';
  }
  const names = a.name === b.name ? a.name : `${a.name} in A, ${b.name} in B`;
  const title = a.title ?? b.title;
  return [title === undefined ? names : `${names}: ${title}`, events === undefined ? '' : eventsText(events)]
    .filter((text) => text !== '')
    .join('; ');
}

/** `gemini-2.5-pro in A, none named in B`. */
const modelsText = ({ a, b }: NonNullable<LogBehaviour['models']>): string =>
  [`${a.join(' and ') || 'none named'} in A`, `${b.join(' and ') || 'none named'} in B`].join(', ');

/**
 * Which models only one of the runs has, or which of the calls that both made are not of one model. Empty if nothing differs, or
 * if two programs used other models, as the table says: then each call differs.
 */
export function modelText({
  programs,
  models,
  otherModel,
  unnamedModel,
}: Pick<LogBehaviour, 'programs' | 'models' | 'otherModel' | 'unnamedModel'>): string {
  if (programs === 'two' && models !== undefined) return '';
  return [
    // The calls say it more exactly.
    models === undefined || otherModel + unnamedModel.a + unnamedModel.b > 0 ? '' : modelsText(models),
    otherModel === 0
      ? ''
      : `${plural(otherModel, 'call')} that both made ${otherModel === 1 ? 'is' : 'are'} by another model in B`,
    ...(['a', 'b'] as const).map((side) =>
      unnamedModel[side] === 0
        ? ''
        : `the log of ${side.toUpperCase()} does not name the model of ${plural(unnamedModel[side], 'call')} of both runs`,
    ),
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** The lines of one run in the difference of a file, in order: those of its content, or those that it added and removed. */
function textsIn({ of, lines }: Pick<FileDifference, 'of' | 'lines'>, side: 'a' | 'b'): readonly string[] {
  const own = lines.filter((line) => line.in === side).map(({ text }) => text);
  const texts =
    of === 'content'
      ? [own]
      : ['+', '-'].map((sign) => own.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)));
  return texts.map((some) => some.map((line) => `\n${line}`).join(''));
}

/** Whether two values of a call, which changes a file, are whole lines in the shown difference of that file. */
function isInFile(file: Pick<FileDifference, 'of' | 'lines'>, { a, b }: FieldDifference): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const [ofA, ofB] = [a, b].map((value) => value.replace(/\n$/, ''));
  const isIn = (value = '', side: 'a' | 'b') =>
    value === '' || textsIn(file, side).some((text) => `${text}\n`.includes(`\n${value}\n`));
  // Values that differ only in the end of their last line have the same lines.
  return ofA !== ofB && isIn(ofA, 'a') && isIn(ofB, 'b');
}

/**
 * Makes a function for the differing fields of a call, without those that are shown elsewhere: in the difference of the file
 * that the call changes, or where the runs part. `shown`: how many files, and lines of each, are shown, and which lines whole.
 */
export function fieldsOnce(
  { files, parting }: Pick<LogBehaviour, 'files' | 'parting'>,
  shown: { readonly files: number; readonly lines: number; isWhole?(line: string): boolean },
): (step: StepDifference, isParting?: boolean) => readonly FieldDifference[] {
  const isTheParting = ({ a, b }: StepDifference) =>
    parting?.fields !== undefined && a?.line === parting.a?.line && b?.line === parting.b?.line;
  return (step, isParting = false) => {
    const { a, fields = [] } = step;
    if (!isParting && isTheParting(step)) return [];
    const path = firstLine(a?.text ?? '');
    const file = files.differ.slice(0, shown.files).find((one) => one.path === path);
    if (file === undefined) return fields;
    const lines = file.lines.slice(0, shown.lines).filter(({ text }) => shown.isWhole?.(text) ?? true);
    return fields.every((field) => isInFile({ of: file.of, lines }, field)) ? [] : fields;
  };
}

/** The results of calls that both runs made: `4 the same, 1 differs; the log of B lacks the output of 2`. */
export function resultsText({ results, programs }: Pick<LogBehaviour, 'results' | 'programs'>): string {
  const { same, alike, lacking, differ } = results;
  const except = programs === 'one' ? 'ids and times' : 'ids, times and what each program adds';
  return [
    counted(same, differ, 'result', ', the same'),
    ...(alike === 0 ? [] : [`${alike} ${alike === 1 ? 'is' : 'are'} the same except for ${except}`]),
    ...(['a', 'b'] as const).flatMap((side) =>
      lacking[side] === 0
        ? []
        : [`the log of ${side.toUpperCase()} lacks the output of ${lacking[side]}, which is not compared`],
    ),
  ].join('; ');
}

/** What only one run has, although the log of the other one may have had it in damaged lines. Empty if nothing. */
export function damagedText({
  damaged,
  steps,
  texts,
}: Pick<LogBehaviour, 'damaged' | 'steps' | 'texts'>): string {
  const all = [...steps, ...texts];
  const onlyIn = (side: 'a' | 'b') => all.some((one) => !isBoth(one) && one[side] !== undefined);
  const sides = [
    ...(damaged.b > 0 && onlyIn('a') ? [['A', 'B']] : []),
    ...(damaged.a > 0 && onlyIn('b') ? [['B', 'A']] : []),
  ];
  return sides
    .map(([one, other]) => `what is in ${one} only may have been in the damaged lines of ${other}`)
    .join('; ');
}

/** Why the changes of a file are shown, and not its lines: `the log of B does not have the whole file`. Empty if one run changed it. */
export function notWholeText({ not_whole: sides = [] }: Pick<FileDifference, 'not_whole'>): string {
  const logs = sides.map((side) => side.toUpperCase());
  if (logs.length === 0) return '';
  return `${logs.length === 1 ? 'the log' : 'the logs'} of ${logs.join(' and ')} ${logs.length === 1 ? 'does' : 'do'} not have the whole file`;
}

/** Where the runs part, in words. */
export function partingText({ after, kind }: PartingPoint, { unit }: Pick<LogBehaviour, 'unit'>): string {
  // In `show`, a step of a session is a whole turn.
  const noun = unit === 'call' ? 'call or text' : 'step';
  const counted =
    unit === 'call' && after !== 1 ? `${countText(after)} calls and texts` : plural(after, noun);
  const where = after === 0 ? `at the first ${noun}` : `after ${counted}`;
  if (kind === 'result') return `${where}: the call is the same, its result differs`;
  return kind === 'end' ? `${where}: one run ends there` : where;
}

const stepWithHow = (step: ComparedStep): ComparedStep =>
  step.how === undefined ? step : { ...step, what: `${step.how}: ${step.what}` };

/** A failure that says if the step was refused or interrupted. */
export const withHow = ({ a, b }: StepDifference): StepDifference => ({
  ...(a && { a: stepWithHow(a) }),
  ...(b && { b: stepWithHow(b) }),
});

/** Why only one of the runs ended as it did. A text that differs is shown once. */
export function outcomesOf(
  { a, b }: Pick<RunDifferenceHead, 'a' | 'b'>,
  { texts }: Pick<LogBehaviour, 'texts'>,
): StepDifference[] {
  const isOne = a.dialect === b.dialect;
  const keyOf = ({ kind, text }: ComparedRun['why'][number]): string => `${reasonOf(kind, isOne)}: ${text}`;
  const stepsOf = (one: ComparedRun, other: ComparedRun): ComparedStep[] =>
    one.why
      .filter((why) => !other.why.some((one) => keyOf(one) === keyOf(why)))
      .map(({ kind, text, line, resultLine, tone }) => ({
        what: kind,
        text,
        line,
        ...(resultLine !== undefined && { resultLine }),
        failed: tone === 'bad',
      }));
  const rest = stepsOf(b, a);
  const pairs: StepDifference[] = stepsOf(a, b).map((step) => {
    const at = rest.findIndex(({ what }) => what === step.what);
    const [other] = at === -1 ? [] : rest.splice(at, 1);
    return { a: step, ...(other && { b: other }) };
  });
  // Answers that differ are listed as texts.
  const isListed = (side: 'a' | 'b', step: ComparedStep | undefined) =>
    step === undefined || texts.some((text) => text[side]?.line === step.line);
  const onlyB = rest.map((step): StepDifference => ({ b: step }));
  return [...pairs, ...onlyB].filter((one) => !(isListed('a', one.a) && isListed('b', one.b)));
}
