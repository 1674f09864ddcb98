import type { Story, StoryItem } from '../../dialects/kit/story.ts';
import { type Tokens, totalTokens } from '../../dialects/kit/tokens.ts';
import { isFailedCall } from '../../dialects/sessions/kit/session.ts';
import { changesOfStory } from '../describe/changes-of-story.ts';
import { storyOfLog } from '../describe/story-of-log.ts';
import { align } from './align.ts';
import { stepsOf } from './match-events.ts';
import { Numbering, type RunSource } from './read-run.ts';

/** A call or another step of a run. */
export interface ComparedStep {
  readonly line: number;
  /** The line of the result of a call. */
  readonly resultLine?: number;
  /** The tool, or the title of another step. */
  readonly what: string;
  /** The arguments or the text. */
  readonly text: string;
  readonly failed: boolean;
}

/** A step that only one run has or that differs. At least one side is present. */
export interface StepDifference {
  readonly a?: ComparedStep;
  readonly b?: ComparedStep;
}

/** The steps and results of two runs, independent of how they are stored. */
export interface Behaviour {
  /** Both runs have the same steps in the same order, failures, changed files and texts. */
  readonly same: boolean;
  /** The unit of comparison: calls of tools, or the steps of a run without calls. */
  readonly unit: 'call' | 'step';
  readonly sameSteps: number;
  readonly steps: readonly StepDifference[];
  /** Tools that do the same under different names. */
  readonly renamed: readonly { readonly a: string; readonly b: string }[];
  readonly failed: { readonly both: number; readonly only: readonly StepDifference[] };
  readonly files: {
    readonly both: readonly string[];
    readonly a: readonly string[];
    readonly b: readonly string[];
  };
  readonly sameTexts: number;
  readonly texts: readonly StepDifference[];
  /** Totals, if the logs contain them. */
  readonly tokens: { readonly a?: number; readonly b?: number };
}

/** The compared parts of a run. */
interface RunContent {
  readonly calls: readonly ComparedStep[];
  readonly notes: readonly ComparedStep[];
  readonly said: readonly ComparedStep[];
  readonly files: readonly string[];
  readonly tokens: Tokens | undefined;
}

function callIn(item: StoryItem): ComparedStep[] {
  if (item.kind !== 'call') return [];
  const { tool, input, line, result_line: resultLine } = item;
  const failed = isFailedCall(item);
  return [{ line, ...(resultLine !== undefined && { resultLine }), what: tool, text: input, failed }];
}

const noteIn = (item: StoryItem): ComparedStep[] =>
  item.kind === 'note'
    ? [{ line: item.line, what: item.title, text: item.text ?? '', failed: item.tone === 'bad' }]
    : [];

/** Leaves out thinking, which hardly ever repeats and is not a result. */
function saidIn(item: StoryItem): ComparedStep[] {
  if (item.kind === 'prompt' || item.kind === 'answer')
    return [{ line: item.line, what: item.speaker ?? item.kind, text: item.text, failed: false }];
  return item.kind === 'note' && item.text !== undefined
    ? [{ line: item.line, what: item.title, text: item.text, failed: false }]
    : [];
}

function contentOf(story: Story): RunContent {
  // A story may be ordered by task, although the tasks ran at the same time.
  const items = story.turns.flatMap((turn) => turn.items).sort((a, b) => a.line - b.line);
  return {
    calls: items.flatMap(callIn),
    notes: items.flatMap(noteIn),
    said: items.flatMap(saidIn),
    files: changesOfStory(story).files.map(({ path }) => path),
    tokens: story.tokens,
  };
}

/** Some programs write paths from the root, others from the working directory. */
const isSameFile = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/** Aligns the steps of both runs. Steps with the same key are paired in order. */
async function aligned(
  a: readonly ComparedStep[],
  b: readonly ComparedStep[],
  keyOf: (step: ComparedStep) => string,
): Promise<{
  readonly pairs: readonly Required<StepDifference>[];
  readonly only: readonly StepDifference[];
}> {
  const numbers = new Numbering();
  const numbered = (steps: readonly ComparedStep[]) =>
    Int32Array.from(steps, (one) => numbers.of(keyOf(one)));
  const matches = await align(numbered(a), numbered(b));
  const pairs: Required<StepDifference>[] = [];
  const only: StepDifference[] = [];
  for (const step of stepsOf(matches, b.length)) {
    if (step.kind === 'pair') pairs.push({ a: a[step.a] as ComparedStep, b: b[step.b] as ComparedStep });
    else if (step.kind === 'missing') only.push({ a: a[step.a] as ComparedStep });
    else only.push({ b: b[step.b] as ComparedStep });
  }
  return { pairs, only };
}

/** The failures of one run only, including steps that the other run does not have. */
function failedIn(
  pairs: readonly Required<StepDifference>[],
  only: readonly StepDifference[],
): Behaviour['failed'] {
  const both = pairs.filter(({ a, b }) => a.failed && b.failed).length;
  const inOne = pairs
    .filter(({ a, b }) => a.failed !== b.failed)
    .map(({ a, b }): StepDifference => (a.failed ? { a } : { b }));
  return { both, only: [...inOne, ...only.filter(({ a, b }) => a?.failed || b?.failed)] };
}

function renamedIn(pairs: readonly Required<StepDifference>[]): Behaviour['renamed'] {
  const names = new Map<string, { readonly a: string; readonly b: string }>();
  for (const { a, b } of pairs)
    if (a.what !== b.what) names.set(JSON.stringify([a.what, b.what]), { a: a.what, b: b.what });
  return [...names.values()];
}

/** Compares the stories of two runs: calls, failures, files, texts and tokens. */
async function compareStories(first: Story, second: Story): Promise<Behaviour> {
  const [a, b] = [contentOf(first), contentOf(second)];
  const hasCalls = a.calls.length > 0 || b.calls.length > 0;
  // Programs rename their tools, so calls with equal input count as equal.
  const steps = hasCalls
    ? await aligned(a.calls, b.calls, ({ what, text }) => text || what)
    : await aligned(a.notes, b.notes, ({ what }) => what);
  const texts = await aligned(a.said, b.said, ({ what, text }) => `${what}\n${text.trim()}`);
  const isStep = ({ a: one, b: other }: StepDifference): boolean =>
    steps.only.some((step) => (one ? step.a?.line === one.line : step.b?.line === other?.line));
  // The text of a step that only one run has is shown with the step.
  const onlyTexts = hasCalls ? texts.only : texts.only.filter((text) => !isStep(text));
  const failed = failedIn(steps.pairs, steps.only);
  const isIn = (path: string, paths: readonly string[]) => paths.some((other) => isSameFile(path, other));
  const files = {
    both: a.files.filter((path) => isIn(path, b.files)),
    a: a.files.filter((path) => !isIn(path, b.files)),
    b: b.files.filter((path) => !isIn(path, a.files)),
  };
  const differences = [steps.only, failed.only, files.a, files.b, onlyTexts];
  return {
    same: differences.every(({ length }) => length === 0),
    unit: hasCalls ? 'call' : 'step',
    sameSteps: steps.pairs.length,
    steps: steps.only,
    renamed: renamedIn(steps.pairs),
    failed,
    files,
    sameTexts: texts.pairs.length,
    texts: onlyTexts,
    tokens: {
      ...(a.tokens && { a: totalTokens(a.tokens) }),
      ...(b.tokens && { b: totalTokens(b.tokens) }),
    },
  };
}

const storyOf = async ({ path, dialect, run }: RunSource): Promise<Story> =>
  (await storyOfLog(path, dialect, { run })).story;

/** Reads the stories of two logs and compares what the runs did. */
export const compareBehaviour = async (a: RunSource, b: RunSource): Promise<Behaviour> =>
  compareStories(await storyOf(a), await storyOf(b));
