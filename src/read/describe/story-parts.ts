import { defined } from '../../base/json/defined.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import type { CallItem, PartStory, Story, StoryItem, StoryTurn } from '../../dialects/kit/story.ts';
import { furtherAmong, type PartUsage, UsageFold, usedIn } from '../../dialects/kit/usage.ts';
import { failedAmong } from '../../dialects/sessions/kit/session.ts';
import { slowestAmong } from '../../dialects/sessions/kit/time.ts';
import { joinedStory, withSlowestOf } from './further-logs.ts';
import { ownCalls, repeatedLines } from './repeated-lines.ts';
import type { LogStory } from './story-of-log.ts';

/** The log of a subagent. */
export interface ReadPart extends LogStory {
  /** Its name, which commands accept as a target. */
  readonly name: string;
  /** The path of the log, for display. */
  readonly log: string;
}

/** What is read of a log to find the subagents that it started. */
type OwnedStory = Pick<LogStory, 'story' | 'details'>;

/** A story with the starts of subagents in its log, by their ids. */
interface ParentStory {
  readonly story: Story;
  readonly starts: ReadonlyMap<string, number>;
}

const callsIn = ({ turns }: Pick<Story, 'turns'>): CallItem[] =>
  turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));

const parentOf = ({ story, details }: OwnedStory): ParentStory => ({
  story,
  starts: new Map(details?.started.map(({ id, line }) => [id, line])),
});

/** The call of a story that started a subagent. */
function startOf(
  { name, details }: OwnedStory & { readonly name: string },
  { story, starts }: ParentStory,
): CallItem | undefined {
  const ids = new Set([name, ...(details?.own ?? [])]);
  for (const [id, line] of starts) {
    if (!ids.has(id)) continue;
    const calls = callsIn(story).filter((one) => one.line === line || one.result_line === line);
    // If a record has several calls, the result names the subagent.
    const call = calls.find(({ output }) => output?.includes(id)) ?? calls[0];
    if (call !== undefined) return call;
  }
  return undefined;
}

/** Where a subagent was started. */
export interface PartStart<Part> {
  /** The subagent that started it; undefined if the run itself did, or if that is unknown. */
  readonly owner: Part | undefined;
  readonly call: CallItem | undefined;
}

/** Where each subagent of a run was started: by a call of the run's own log, or of another subagent. */
export function startsOf<Part extends OwnedStory & { readonly name: string }>(
  whole: OwnedStory,
  parts: readonly Part[],
): ReadonlyMap<Part, PartStart<Part>> {
  const parents: readonly (readonly [part: Part | undefined, parent: ParentStory])[] = [
    [undefined, parentOf(whole)],
    ...parts.map((part) => [part, parentOf(part)] as const),
  ];
  return new Map(
    parts.map((part) => {
      const others = parents.filter(([owner]) => owner !== part);
      const [owner, call] =
        others.map(([one, parent]) => [one, startOf(part, parent)] as const).find(([, found]) => found) ?? [];
      return [part, { owner, call }];
    }),
  );
}

/** What the log of a subagent used. */
function used(part: ReadPart): Pick<PartUsage, 'charges' | 'lacks'> & Partial<Pick<PartUsage, 'tokens'>> {
  const fold = new UsageFold();
  fold.add(part.usage?.usage ?? [], part.usage?.lost_lines);
  const { tokens, lacks, charges } = usedIn(1, fold);
  return part.usage?.usage === undefined ? {} : { tokens, ...defined({ lacks, charges }) };
}

/** The lines of each part that repeat other logs of the run, such as a copied history. */
export function repeatedInParts<Part extends Pick<LogStory, 'details'>>(
  whole: Pick<LogStory, 'details'>,
  parts: readonly Part[],
): ReadonlyMap<Part, ReadonlySet<number>> {
  const lines = repeatedLines(
    whole.details?.entries,
    parts.map(({ details }) => details?.entries),
  );
  return new Map(parts.map((part, at) => [part, lines[at] ?? new Set()]));
}

/**
 * The story of the log of a run and of its further logs. Its slowest calls may be those of subagents. `repeated`: see
 * {@link repeatedInParts}.
 */
export function mainStory<Part extends LogStory & { readonly name: string }>(
  first: LogStory,
  others: readonly Part[],
  repeated: ReadonlyMap<Part, ReadonlySet<number>>,
): Story {
  const further = furtherAmong(others);
  const { time, ...story } = joinedStory(first, further);
  const slowest = others.flatMap((part) =>
    further.includes(part)
      ? []
      : [{ part: part.name, slowest: slowestAmong(ownCalls(part.details?.entries, repeated.get(part))) }],
  );
  return { ...story, ...(time && { time: withSlowestOf(time, slowest) }) };
}

/** A subagent as an entry below the call that started it. `turns`: what it did, unless it is folded. */
function partStory(
  part: ReadPart,
  below: readonly PartStory[],
  { isOpen, repeated }: { readonly isOpen: boolean; readonly repeated: ReadonlySet<number> | undefined },
): PartStory {
  const { name, log, story, skipped } = part;
  const { title = '', status, tone, turns } = story;
  const calls = callsIn(story).filter(({ line, copied }) => !copied && !repeated?.has(line));
  return {
    name,
    log,
    ...(title !== '' && { title: firstLine(title) }),
    status,
    ...(tone && { tone }),
    calls: calls.length,
    ...failedAmong(calls),
    ...used(part),
    ...(skipped && skipped.count > 0 && { damaged: skipped.count }),
    ...(isOpen && { turns }),
    ...(below.length > 0 && { subagents: below }),
  };
}

/**
 * The story of a run: of its log and further logs, with its subagents below the calls that started them, also those of
 * subagents; others are in `subagent_runs`. If they are folded, their turns are left out.
 */
export function storyOfRun(first: LogStory, others: readonly ReadPart[], isOpen: boolean): Story {
  const further = furtherAmong(others);
  const repeated = repeatedInParts(first, others);
  const whole = mainStory(first, others, repeated);
  const parts = others.filter((part) => !further.includes(part));
  if (parts.length === 0) return whole;
  const byCall = new Map<CallItem, ReadPart[]>();
  const byOwner = new Map<ReadPart | undefined, ReadPart[]>();
  for (const [part, { owner, call }] of startsOf(first, others)) {
    if (call !== undefined) byCall.set(call, [...(byCall.get(call) ?? []), part]);
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), part]);
  }
  // A log can name itself as its own origin in a circle, so each subagent is shown once.
  const shown = new Set<ReadPart>(further);
  const entries = (found: readonly ReadPart[]): PartStory[] =>
    found.flatMap((part) => {
      if (shown.has(part)) return [];
      shown.add(part);
      const how = { isOpen, repeated: repeated.get(part) };
      if (!isOpen) return [partStory(part, entries(byOwner.get(part) ?? []), how)];
      const story = { ...part.story, turns: withCalls(part.story.turns) };
      return [partStory({ ...part, story }, [], how)];
    });
  const withItem = (item: StoryItem): StoryItem => {
    if (item.kind !== 'call') return item;
    const found = entries(byCall.get(item) ?? []);
    return found.length === 0 ? item : { ...item, subagents: [...(item.subagents ?? []), ...found] };
  };
  const withCalls = (turns: readonly StoryTurn[]): StoryTurn[] =>
    turns.map((turn) => ({ ...turn, items: turn.items.map(withItem) }));
  const turns = withCalls(whole.turns);
  const rest = [...(whole.subagent_runs ?? []), ...entries(parts)];
  return { ...whole, turns, ...(rest.length > 0 && { subagent_runs: rest }) };
}

/** The subagents of a story that have logs of their own. */
export const partsWithLogs = (story: Pick<PartStory, 'turns' | 'subagents'>): PartStory[] =>
  partsIn(story).filter(({ log }) => log !== undefined);

/** All subagents of a story, also those of subagents. */
export function partsIn({ turns = [], subagents = [] }: Pick<PartStory, 'turns' | 'subagents'>): PartStory[] {
  const called = callsIn({ turns }).flatMap((call) => call.subagents ?? []);
  return [...called, ...subagents].flatMap((part) => [part, ...partsIn(part)]);
}
