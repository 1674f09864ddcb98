import { type FailedCalls, failedCalls } from '../../dialects/kit/failed-calls.ts';
import { wordsOf } from '../describe/changes-of-story.ts';
import { type CallKeys, commonKeys, haveOtherShells, inputDifferences, wholeKeys } from './call-key.ts';
import { type FileDifference, fileDifference } from './end-states.ts';
import type { Incidental } from './incidental.ts';
import {
  keyedCalls,
  type PartingPoint,
  partingOf,
  type StepDifference,
  sequenceOf,
  textKeys,
  withFields,
} from './parting.ts';
import { comparedResults, hasNoResult } from './results.ts';
import type { ComparedStep, RunCall, RunContent, RunFacts } from './run-content.ts';
import { aligned, isPair, pairedInGaps, type Walk } from './walk.ts';

export type { FileDifference } from './end-states.ts';
export type { PartingPoint, StepDifference } from './parting.ts';
export type { ComparedStep, RunFacts } from './run-content.ts';

/** The steps and results in two logs, independent of how they are stored. */
export interface LogBehaviour {
  /**
   * Both logs have the same models, and the same steps in the same order with the same inputs, results, texts and
   * changes of files.
   */
  readonly same: boolean;
  /** Whether two programs made the runs, or two versions of one. Their calls are compared by what they work on. */
  readonly programs: 'one' | 'two';
  /** The unit of comparison: calls of tools, or the steps of a run without calls. */
  readonly unit: 'call' | 'step';
  /** Undefined if the runs are the same, step by step. */
  readonly parting?: PartingPoint;
  readonly sameSteps: number;
  readonly steps: readonly StepDifference[];
  /** The models that answered, if they are not the same in both logs. */
  readonly models?: { readonly a: readonly string[]; readonly b: readonly string[] };
  /** Tools that do the same under different names. */
  readonly renamed: readonly { readonly a: string; readonly b: string }[];
  /** The results of calls that both runs made. */
  readonly results: {
    readonly same: number;
    /** Results that differ only in ids, times, digests or what two programs add, which do not count. */
    readonly alike: number;
    /** Results that are compared without a part which the log of this run lacks. */
    readonly lacking: { readonly a: number; readonly b: number };
    readonly differ: readonly StepDifference[];
  };
  /** The number of calls that both runs made, but another model in each. */
  readonly otherModel: number;
  /** The number of calls that both runs made, and whose model only the log of the other run names. */
  readonly unnamedModel: { readonly a: number; readonly b: number };
  /**
   * The calls without success, and how many of them were refused or interrupted. A call that both runs have, but that did not
   * end alike in both, such as one that failed in A and was refused in B, is in `only` with both sides, and not in the counts.
   */
  readonly failed: Omit<FailedCalls, 'failed'> & {
    readonly both: number;
    readonly only: readonly StepDifference[];
  };
  readonly files: {
    readonly both: readonly string[];
    readonly a: readonly string[];
    readonly b: readonly string[];
    /** The files that one run changed, and that a command of the other one may have changed. They are no differences. */
    readonly maybe: readonly { readonly path: string; readonly changedIn: 'a' | 'b' }[];
    /** The files that the runs left differently. */
    readonly differ: readonly FileDifference[];
  };
  readonly sameTexts: number;
  readonly texts: readonly StepDifference[];
  /** The places where damaged lines are left out. What only the other run has may have been in them. */
  readonly damaged: { readonly a: number; readonly b: number };
}

/** What two runs did: the steps and results in their own logs, and the numbers of all their logs. */
export interface Behaviour extends LogBehaviour {
  readonly facts: { readonly a: RunFacts; readonly b: RunFacts };
  /** Totals, if the logs contain them. */
  readonly tokens: { readonly a?: number; readonly b?: number };
}

/** Some programs write paths from the root, others from the working directory. */
const isSameFile = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

const withoutDot = (path: string): string => path.replace(/^(?:\.\/)+/, '');

/** How many of some failed steps were refused or interrupted, or have no result. A step of both runs counts once. */
function stopped(steps: readonly ComparedStep[]): Omit<FailedCalls, 'failed'> {
  const { failed: _, ...counts } = failedCalls(
    steps.length,
    (of) => steps.filter(({ how }) => how?.replace(' ', '_') === of).length,
  );
  return counts;
}

/** Whether a step failed in both runs, but not alike: one run refused what the other one tried. */
const isFailedOtherwise = ({ a, b }: StepDifference, damaged: Record<'a' | 'b', boolean>): boolean => {
  if (!a?.failed || !b?.failed || a.how === b.how) return false;
  // The result may be on a damaged line.
  return !(damaged.a && a.how === 'no result') && !(damaged.b && b.how === 'no result');
};

/** The failures of one run only, including steps that the other run does not have, and those that differ. */
function failedIn(walk: Walk<ComparedStep>, damaged: Record<'a' | 'b', boolean>): Behaviour['failed'] {
  const isBoth = ({ a, b }: StepDifference) => a?.failed === true && b?.failed === true;
  const isAlike = (pair: StepDifference) => isBoth(pair) && !isFailedOtherwise(pair, damaged);
  const one = walk.filter((pair) => !isAlike(pair) && (pair.a?.failed || pair.b?.failed));
  const counted = walk.filter((pair) => !isFailedOtherwise(pair, damaged));
  return {
    both: walk.filter(isAlike).length,
    ...stopped(counted.flatMap(({ a, b }) => (a?.failed ? a : b?.failed ? b : []))),
    only: one.map((pair) => {
      if (isBoth(pair)) return pair;
      return pair.a?.failed ? { a: pair.a } : { ...(pair.b && { b: pair.b }) };
    }),
  };
}

/** Tools under two names, of which neither run uses both. */
function renamedIn(walk: Walk<RunCall>, a: RunContent, b: RunContent): Behaviour['renamed'] {
  const toolsOf = ({ calls }: RunContent) => new Set(calls.map(({ step }) => step.what));
  const [ofA, ofB] = [toolsOf(a), toolsOf(b)];
  const names = new Map<string, { readonly a: string; readonly b: string }>();
  for (const pair of walk) {
    if (!isPair(pair)) continue;
    const name = { a: pair.a.step.what, b: pair.b.step.what };
    if (name.a !== name.b && !ofA.has(name.b) && !ofB.has(name.a)) names.set(JSON.stringify(name), name);
  }
  return [...names.values()];
}

/** Whether both runs were made by one version of a program with the same tools, or may have been. */
function isOneProgram(a: RunContent, b: RunContent): boolean {
  if (a.dialect.name !== b.dialect.name) return false;
  const [callsA, callsB] = [a, b].map(({ calls }) => calls.map(({ item }) => item));
  if (haveOtherShells(callsA ?? [], callsB ?? [])) return false;
  const [ofA = [], ofB = []] = [a, b].map(({ details }) => details?.versions);
  return ofA.length === 0 || ofB.length === 0 || ofA.some((version) => ofB.includes(version));
}

async function compareFiles(
  a: RunContent,
  b: RunContent,
  plain: { readonly a: Incidental; readonly b: Incidental },
): Promise<Behaviour['files']> {
  const nameOf = (path: string, one: RunContent) => (one === a ? plain.a : plain.b).text(path);

  const find = (path: string, one: RunContent, other: RunContent) =>
    other.files.find((file) => isSameFile(nameOf(path, one), nameOf(file.path, other)));
  const wordsOfCommands = (one: RunContent) =>
    [...new Set(one.writers.flatMap(wordsOf))].map((word) => nameOf(withoutDot(word), one));
  const sideOf = (one: RunContent, other: RunContent, changedIn: 'a' | 'b') => {
    const files = one.files.filter(({ path }) => find(path, one, other) === undefined);
    const named = files.length === 0 ? [] : wordsOfCommands(other);
    const maybe = files.filter(({ path }) => named.some((word) => isSameFile(nameOf(path, one), word)));
    return {
      only: files.filter((file) => !maybe.includes(file)),
      maybe: maybe.map(({ path }) => ({ path, changedIn })),
    };
  };
  const [ofA, ofB] = [sideOf(a, b, 'a'), sideOf(b, a, 'b')];
  const whole = (path: string, one: RunContent) =>
    path.startsWith('/') || one.details?.cwd === undefined ? path : `${one.details.cwd}/${path}`;
  const otherPath = (inA: RunContent['files'][number] | undefined, inB: typeof inA) => {
    if (inA === undefined || inB === undefined) return {};
    const [ofOne, ofOther] = [whole(inA.path, a), whole(inB.path, b)];
    const isOther = ofOther.startsWith('/') && nameOf(ofOne, a) !== nameOf(ofOther, b);
    return isOther ? { pathInB: ofOther } : {};
  };
  const both = a.files.filter(({ path }) => find(path, a, b) !== undefined);
  const differ: FileDifference[] = [];
  const pairs = [
    ...a.files
      .filter((file) => both.includes(file) || ofA.only.includes(file))
      .map((file) => ({ path: file.path, a: file, b: find(file.path, a, b) })),
    ...ofB.only.map((file) => ({ path: file.path, a: undefined, b: file })),
  ];
  for (const { path, a: inA, b: inB } of pairs) {
    const difference = await fileDifference(path, [inA, inB], plain);
    if (difference) differ.push({ ...difference, ...otherPath(inA, inB) });
  }
  return {
    both: both.map(({ path }) => path),
    a: ofA.only.map(({ path }) => path),
    b: ofB.only.map(({ path }) => path),
    maybe: [...ofA.maybe, ...ofB.maybe],
    differ,
  };
}

/** How the texts and calls of one side of a comparison are read. */
export interface Side {
  readonly content: RunContent;
  readonly incidental: Incidental;
}

/** The steps and results in two logs with the same bytes. */
export function behaviourOfCopy(run: RunContent): LogBehaviour {
  const hasCalls = run.calls.length > 0;
  const steps = hasCalls ? run.calls.map(({ step }) => step) : run.notes;
  return {
    same: true,
    programs: 'one',
    unit: hasCalls ? 'call' : 'step',
    sameSteps: steps.length,
    steps: [],
    renamed: [],
    results: {
      same: run.calls.filter((call) => !hasNoResult(call)).length,
      alike: 0,
      lacking: { a: 0, b: 0 },
      differ: [],
    },
    otherModel: 0,
    unnamedModel: { a: 0, b: 0 },
    failed: {
      both: steps.filter(({ failed }) => failed).length,
      ...stopped(steps.filter(({ failed }) => failed)),
      only: [],
    },
    files: { both: run.files.map(({ path }) => path), a: [], b: [], maybe: [], differ: [] },
    sameTexts: run.said.length,
    texts: [],
    damaged: { a: run.gaps.length, b: run.gaps.length },
  };
}

/** The steps and results in a log that only one of two runs has. They have no counterpart, so there is no place where the runs part. */
export async function behaviourOfOne(a: Side | undefined, b: Side | undefined): Promise<LogBehaviour> {
  const one = a ?? b;
  if (one === undefined) throw new TypeError('neither run has the log');
  const none: Side = { ...one, content: withoutSteps(one.content) };
  const { parting: _, ...behaviour } = await compareBehaviour(a ?? none, b ?? none);
  return { ...behaviour, same: false };
}

/** The content of a log without steps, of the same program. */
const withoutSteps = (content: RunContent): RunContent => ({
  ...content,
  story: { ...content.story, turns: [] },
  calls: [],
  notes: [],
  said: [],
  remarks: new Set(),
  prompts: new Set(),
  order: new Map(),
  gaps: [],
  files: [],
  writers: [],
  own: { files: [], writers: 0 },
  models: [],
});

/** How calls of two logs are recognised as the same. */
export function keysOf(
  a: Side,
  b: Side,
): { readonly isOne: boolean; readonly a: CallKeys; readonly b: CallKeys } {
  const isOne = isOneProgram(a.content, b.content);
  const [ofA, ofB] = [a.content.details, b.content.details];
  if (isOne) return { isOne, a: wholeKeys(ofA, a.incidental), b: wholeKeys(ofB, b.incidental) };
  // Of a run whose log does not have its directory, only that of the other one can be known.
  return {
    isOne,
    a: commonKeys(ofA, a.incidental, ofA?.cwd ?? ofB?.cwd),
    b: commonKeys(ofB, b.incidental, ofB?.cwd ?? ofA?.cwd),
  };
}

/** Compares what two logs say was done. */
export async function compareBehaviour(sideA: Side, sideB: Side): Promise<LogBehaviour> {
  const { content: a, incidental: withoutA } = sideA;
  const { content: b, incidental: withoutB } = sideB;
  const { isOne, a: keysA, b: keysB } = keysOf(sideA, sideB);
  const hasCalls = a.calls.length > 0 || b.calls.length > 0;

  const [keyedA, keyedB] = [keyedCalls(a, keysA, withoutA), keyedCalls(b, keysB, withoutB)];
  const exactly = await aligned(a.calls, b.calls, [
    (call) => keyedA.get(call)?.key ?? '',
    (call) => keyedB.get(call)?.key ?? '',
  ]);
  const isExact = new Set(exactly.filter(isPair).map((pair) => pair.a));
  const calls = pairedInGaps(exactly);
  const compared = calls.map((pair) => ({
    pair,
    difference: pair.a && isExact.has(pair.a) ? undefined : differenceOf(pair, a, b),
  }));
  // Two calls differ only if a difference can be shown.
  const isSame = ({ fields }: StepDifference = { fields: [] }) => fields?.length === 0;
  const same = compared
    .filter(({ difference }) => isSame(difference))
    .flatMap(({ pair }) => (isPair(pair) ? pair : []));
  const notes = hasCalls ? [] : await aligned(a.notes, b.notes, [({ what }) => what, ({ what }) => what]);
  const steps = hasCalls
    ? calls.map(({ a: one, b: other }) => ({ ...(one && { a: one.step }), ...(other && { b: other.step }) }))
    : notes;
  const different: StepDifference[] = hasCalls
    ? compared.flatMap(({ difference }) => (difference === undefined || isSame(difference) ? [] : difference))
    : notes.filter((one) => !isPair(one));

  const [textKeyA, textKeyB] = [textKeys(withoutA, isOne), textKeys(withoutB, isOne)];
  const texts = await aligned(a.said, b.said, [textKeyA, textKeyB]);
  const isStep = ({ a: one, b: other }: StepDifference): boolean =>
    different.some((step) => (one ? step.a?.line === one.line : step.b?.line === other?.line));
  // The text of a step that only one run has is shown with the step.
  const onlyTexts = texts.filter((text) => !isPair(text) && (hasCalls || !isStep(text)));

  const results: StepDifference[] = [];
  let alike = 0;
  let without = 0;
  const lacking = { a: 0, b: 0 };
  const damaged = { a: a.gaps.length > 0, b: b.gaps.length > 0 };
  for (const pair of same) {
    const [ofA, ofB] = [keyedA.get(pair.a), keyedB.get(pair.b)];
    if (ofA === undefined || ofB === undefined) continue;
    const compared = comparedResults(pair.a, pair.b, { isOne, damaged });
    const fields = ofA.result === ofB.result ? [] : inputDifferences(compared.a, compared.b);
    if (compared.lacking !== undefined) lacking[compared.lacking] += 1;
    // Neither run has the result of these.
    if (fields.length === 0 && hasNoResult(pair.a) && hasNoResult(pair.b)) without += 1;
    if (fields.length > 0) results.push({ a: pair.a.step, b: pair.b.step, fields });
    else if (ofA.exact !== ofB.exact) alike += 1;
    // Where the runs part, the same call has the same key.
    keyedB.set(pair.b, { ...ofB, key: ofA.key, result: fields.length > 0 ? ofB.result : ofA.result });
  }
  const withOthers = same.filter((pair) => pair.a.model !== pair.b.model);
  const unnamedIn = (side: 'a' | 'b') => withOthers.filter((pair) => pair[side].model === undefined).length;
  const unnamedModel = { a: unnamedIn('a'), b: unnamedIn('b') };
  const parting = partingOf(
    sequenceOf(a, keyedA, textKeyA, hasCalls),
    sequenceOf(b, keyedB, textKeyB, hasCalls),
  );
  const files = await compareFiles(a, b, { a: withoutA, b: withoutB });
  const failed = failedIn(steps, damaged);
  const isSameModels = a.models.toSorted().join('\n') === b.models.toSorted().join('\n');
  const differences = [different, failed.only, files.a, files.b, files.differ, onlyTexts, results];
  return {
    same:
      differences.every(({ length }) => length === 0) &&
      isSameModels &&
      withOthers.length === 0 &&
      parting === undefined,
    programs: isOne ? 'one' : 'two',
    unit: hasCalls ? 'call' : 'step',
    ...(parting && { parting: withFields(parting, [...different, ...results]) }),
    sameSteps: hasCalls ? same.length : notes.filter(isPair).length,
    steps: different,
    ...(!isSameModels && { models: { a: a.models, b: b.models } }),
    renamed: isOne ? [] : renamedIn(same, a, b),
    results: {
      same: same.length - results.length - without,
      alike,
      lacking,
      differ: results,
    },
    otherModel: withOthers.length - unnamedModel.a - unnamedModel.b,
    unnamedModel,
    failed,
    files,
    sameTexts: texts.filter(isPair).length,
    texts: onlyTexts,
    damaged: { a: a.gaps.length, b: b.gaps.length },
  };
}

/** A call that only one run has, or that has two inputs. */
function differenceOf(one: Walk<RunCall>[number], a: RunContent, b: RunContent): StepDifference {
  if (!isPair(one)) return { ...(one.a && { a: one.a.step }), ...(one.b && { b: one.b.step }) };
  const [inputA, inputB] = [
    a.details?.callOf(one.a.item)?.input ?? one.a.item.input,
    b.details?.callOf(one.b.item)?.input ?? one.b.item.input,
  ];
  return { a: one.a.step, b: one.b.step, fields: inputDifferences(inputA, inputB) };
}
