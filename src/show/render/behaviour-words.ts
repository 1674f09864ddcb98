import { atLeast, countText } from '../../base/text/count.ts';
import { otherwiseText, sumOfFailed } from '../../dialects/kit/failed-calls.ts';
import { stepCost } from '../../dialects/kit/prices.ts';
import type {
  ComparedStep,
  FileDifference,
  LogBehaviour,
  PartingPoint,
  RunFacts,
  StepDifference,
} from '../../read/compare/behaviour.ts';
import type { ComparedPart, DifferenceCounts, PartDifference } from '../../read/compare/run-difference.ts';
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
  const inBoth = differ.filter(({ path }) => both.includes(path));
  // What a file contains is not known of a log that has only its changes.
  const kinds = ['content', 'changes'].flatMap((what) => {
    const count = inBoth.filter((file) => file.of === what).length;
    return count === 0 ? [] : [`${both.length === 1 ? '' : `${count} of them `}with different ${what}`];
  });
  if (both.length > 0 && kinds.length === 0) kinds.push('with the same result');
  return [
    ...(both.length > 0 ? [`both changed ${plural(both.length, 'file')}`] : []),
    ...kinds,
    ...a.map((path) => `only A changed ${path}`),
    ...b.map((path) => `only B changed ${path}`),
    ...maybe.map(({ path, changedIn: side }) =>
      side === 'a'
        ? `A changed ${path}, and B's commands may have changed it`
        : `B changed ${path}, and A's commands may have changed it`,
    ),
  ].join(', ');
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

/** The logs that do not have the whole file: `the log of B does not have the whole file`. Empty if there are none. */
export function notWholeText({ not_whole: sides = [] }: Pick<FileDifference, 'not_whole'>): string {
  const logs = sides.map((side) => side.toUpperCase());
  if (logs.length === 0) return '';
  return `${logs.length === 1 ? 'the log' : 'the logs'} of ${logs.join(' and ')} ${logs.length === 1 ? 'does' : 'do'} not have the whole file`;
}

/** Where the runs part, in words. */
export function partingText(
  { after, afterPrompts: prompts, kind }: PartingPoint,
  { unit }: Pick<LogBehaviour, 'unit'>,
): string {
  // In `show`, a step of a session is a whole turn.
  const noun = unit === 'call' ? 'call or text' : 'step';
  const counted =
    unit === 'call' && after !== 1 ? `${countText(after)} calls and texts` : plural(after, noun);
  const before = !prompts ? counted : after === 1 ? 'the prompt' : plural(after, 'prompt');
  const where = after === 0 ? `at the first ${noun}` : `after ${before}`;
  if (kind === 'result') return `${where}: the call is the same, its result differs`;
  return kind === 'end' ? `${where}: one run ends there` : where;
}
