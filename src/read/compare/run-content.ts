import { defined } from '../../base/json/defined.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Copied } from '../../dialects/kit/copied.ts';
import type { FailedCalls } from '../../dialects/kit/failed-calls.ts';
import type { Cost, Prices } from '../../dialects/kit/prices.ts';
import type { CallItem, Story, StoryDetails, StoryItem } from '../../dialects/kit/story.ts';
import { type Lacks, type Tokens, totalTokens } from '../../dialects/kit/tokens.ts';
import { furtherAmong, type LogUsage, withCosts } from '../../dialects/kit/usage.ts';
import { partName } from '../../dialects/registry.ts';
import {
  type CallStatus,
  failedAmong,
  failureOfCall,
  isFailedCall,
} from '../../dialects/sessions/kit/session.ts';
import { changesOfItem, changesOfStory, isTestRun, mayWriteFiles } from '../describe/changes-of-story.ts';
import { joinedStory } from '../describe/further-logs.ts';
import { storyOfLog, withUsage } from '../describe/story-of-log.ts';
import { type FileOfRun, FileTextsOfRun } from './file-texts.ts';
import type { DamagedLog, RunSource } from './read-run.ts';

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
  /** Why a call counts as failed although it did not fail by itself. */
  readonly how?: 'refused' | 'interrupted' | 'no result';
}

/** The numbers of a run that a comparison puts first. Absent if the log does not have them. */
export interface RunFacts extends FailedCalls {
  /** The folder in which it worked. */
  readonly folder?: string;
  readonly models: readonly string[];
  readonly tokens?: number;
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  /** If there are prices. */
  readonly cost?: Cost;
  /** The time in which the agent worked: without waiting for a person and without pauses between turns. */
  readonly workedMs?: number;
  /** It may have worked longer, because the log does not say how some time was spent. */
  readonly isWorkMinimum?: true;
  readonly calls: number;
  /** The calls that ran tests, and how the last of them ended. */
  readonly tests: FailedCalls & { readonly calls: number; readonly last?: CallStatus };
  readonly files: number;
  /** What its log has from another session, where it counts. It is compared all the same. */
  readonly copied?: Copied;
  /** The number of files that copied calls changed; absent if it is 0. */
  readonly copied_files?: number;
  /** The number of commands that may have changed files; absent if it is 0. */
  readonly writers?: number;
}

/** A call with what a comparison needs of it. */
export interface RunCall {
  readonly step: ComparedStep;
  readonly item: CallItem;
  readonly model: string | undefined;
}

/** The compared parts of a run. */
export interface RunContent {
  readonly dialect: Dialect;
  readonly story: Story;
  readonly details: StoryDetails | undefined;
  readonly calls: readonly RunCall[];
  readonly notes: readonly ComparedStep[];
  /** Prompts, answers and the texts of other events. Not thinking, which hardly ever repeats. */
  readonly said: readonly ComparedStep[];
  /** Those of `said` that the program wrote about the run, such as an interruption. */
  readonly remarks: ReadonlySet<ComparedStep>;
  /** Those of `said` that are prompts. */
  readonly prompts: ReadonlySet<ComparedStep>;
  /** The place of each step in the story. Several may be on one line. */
  readonly order: ReadonlyMap<ComparedStep, number>;
  /** The places in the story where damaged lines are left out. */
  readonly gaps: readonly number[];
  readonly files: readonly FileOfRun[];
  /** The commands that may have changed files. */
  readonly writers: readonly string[];
  /** What of these was not copied from another session. */
  readonly own: {
    readonly files: readonly string[];
    readonly writers: number;
    /** The number of files that copied calls changed. */
    readonly copied?: number;
  };
  /** The models that answered. */
  readonly models: readonly string[];
  /** What its log says about usage. */
  readonly usage: LogUsage;
  /** The number of events in its log. */
  readonly events: number;
  readonly damage?: DamagedLog;
}

/** The log of a subagent, or a further log of a run. */
export interface PartContent extends RunContent {
  readonly source: RunSource;
  /** Its name, which commands accept as a target. */
  readonly name: string;
}

function noteIn(item: StoryItem): ComparedStep[] {
  if (item.kind !== 'note') return [];
  return [{ line: item.line, what: item.title, text: item.text ?? '', failed: item.tone === 'bad' }];
}

function saidIn(item: StoryItem): ComparedStep[] {
  if (item.kind === 'prompt' || item.kind === 'answer')
    return [{ line: item.line, what: item.speaker ?? item.kind, text: item.text, failed: false }];
  return (item.kind === 'note' || item.kind === 'divider') && item.text !== undefined
    ? [{ line: item.line, what: item.title, text: item.text, failed: false }]
    : [];
}

/** Why a call counts as failed although it did not fail by itself. */
const howOf = (status: CallStatus): ComparedStep['how'] => {
  const failure = failureOfCall(status);
  return failure === 'failed' ? undefined : failure;
};

function callIn(item: StoryItem, details: StoryDetails | undefined): RunCall[] {
  if (item.kind !== 'call') return [];
  const { tool, input, line, result_line: resultLine } = item;
  const step = {
    line,
    ...(resultLine !== undefined && { resultLine }),
    what: tool,
    text: input,
    failed: isFailedCall(item),
    ...defined({ how: howOf(item.status) }),
  };
  return [{ step, item, model: details?.callOf(item)?.model }];
}

/** An item that counts where it was copied to: what two logs have is compared, wherever it was made. */
const asOwn = (item: StoryItem): StoryItem => (item.kind === 'call' ? { ...item, copied: undefined } : item);

const withCopies = ({ turns }: Story): Pick<Story, 'turns'> => ({
  turns: turns.map((turn) => ({ ...turn, items: turn.items.map(asOwn) })),
});

/** Reads the story of a run. */
export async function contentOfRun(source: RunSource): Promise<RunContent> {
  const { path, dialect, run } = source;
  const read = await storyOfLog(path, dialect, { run });
  const { story, usage = {}, details, events, skipped, corruption } = read;
  // A story may be ordered by task, although the tasks ran at the same time.
  const items = story.turns.flatMap((turn) => turn.items).sort((a, b) => a.line - b.line);
  const steps = items.map((item) => ({
    calls: callIn(item, details),
    notes: noteIn(item),
    said: saidIn(item),
    isRemark: item.kind === 'note' || item.kind === 'divider',
    isPrompt: item.kind === 'prompt',
  }));
  const changes = changesOfStory(withCopies(story));
  const own = story.copied === undefined ? changes : changesOfStory(story);
  const texts = new FileTextsOfRun();
  for (const item of items)
    texts.add(
      changesOfItem(asOwn(item)),
      item.kind === 'call' && item.status === 'ok' ? details?.callOf(item) : {},
    );
  return {
    dialect,
    story,
    details,
    calls: steps.flatMap(({ calls }) => calls),
    notes: steps.flatMap(({ notes }) => notes),
    said: steps.flatMap(({ said }) => said),
    remarks: new Set(steps.flatMap(({ said, isRemark }) => (isRemark ? said : []))),
    prompts: new Set(steps.flatMap(({ said, isPrompt }) => (isPrompt ? said : []))),
    order: new Map(
      steps.flatMap(({ calls, notes, said }, at) =>
        [...calls.map(({ step }) => step), ...notes, ...said].map((step) => [step, at] as const),
      ),
    ),
    gaps: items.flatMap((item, at) => (item.kind === 'divider' && item.damaged !== undefined ? [at] : [])),
    files: changes.files.map((file) => texts.of(file)),
    writers: mayWriteFiles(changes).map(({ command }) => command),
    own: {
      files: own.files.map(({ path }) => path),
      writers: mayWriteFiles(own).length,
      ...defined({ copied: own.copied?.files }),
    },
    models: details?.models ?? Object.keys(withUsage(story, usage).tokens_by_model ?? {}),
    usage,
    events,
    ...(skipped && corruption && { damage: { source, skipped, corruption, isEmpty: events === 0 } }),
  };
}

/** The logs of subagents, and further logs of a run, as sources. */
const partsOf = ({ parts = [], dialect }: RunSource): RunSource[] =>
  parts.map((path) => ({ episode: partName(path), path, dialect }));

/** Reads the further logs of a run. */
export async function partsOfRun(run: RunSource): Promise<PartContent[]> {
  const parts: PartContent[] = [];
  for (const source of partsOf(run))
    parts.push({ ...(await contentOfRun(source)), source, name: source.episode });
  return parts;
}

const sumOf = (tokens: Tokens | undefined) => (tokens === undefined ? {} : { tokens: totalTokens(tokens) });

/** How the latest of some calls ended. Calls without a time are in the order of their log. */
const lastStatus = (calls: readonly RunCall[]): CallStatus | undefined =>
  calls
    .map(({ item }) => ({ item, at: parseInstant(item.time) ?? -Infinity }))
    .reduce<{ item: CallItem; at: number } | undefined>(
      (last, call) => (last === undefined || call.at >= last.at ? call : last),
      undefined,
    )?.item.status;

/** The numbers of a run with its parts. `lasted`: the time from the first record of its log to the last. */
export function factsOf(
  run: RunContent,
  lasted: number | undefined,
  prices?: Prices,
  parts: readonly PartContent[] = [],
): RunFacts {
  const all = [run, ...parts];
  const calls = all.flatMap((one) => one.calls).filter(({ item }) => !item.copied);
  const models = new Set(all.flatMap((one) => one.models));
  const files = new Set(all.flatMap((one) => one.own.files));
  const writers = all.reduce((sum, one) => sum + one.own.writers, 0);
  const usages = parts.map(({ usage }) => usage);
  const story = withUsage(joinedStory(run, furtherAmong(parts)), run.usage, usages);
  const tests = calls.filter(({ item }) => isTestRun(item));
  const failed = (all: readonly RunCall[]) => failedAmong(all.map(({ item }) => item));
  const { tokens, lacks, charges = [], time } = story;
  const { waited_ms: waited = 0, idle_ms: idle = 0, unknown_ms: unknown = 0 } = time ?? {};
  const { cwd: folder } = run.details ?? {};
  return {
    ...(folder !== undefined && { folder }),
    models: [...models],
    ...sumOf(tokens),
    ...withCosts({ charges, ...(lacks && { lacks }) }, prices),
    ...(lasted !== undefined && { workedMs: Math.max(0, lasted - waited - idle - unknown) }),
    ...(unknown > 0 && { isWorkMinimum: true as const }),
    calls: calls.length,
    ...failed(calls),
    tests: { calls: tests.length, ...failed(tests), ...defined({ last: lastStatus(tests) }) },
    files: files.size,
    ...defined({ copied: story.copied, copied_files: run.own.copied }),
    ...(writers > 0 && { writers }),
  };
}
