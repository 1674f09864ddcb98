import { parseInstant } from '../../base/time/instant.ts';
import type { TimeOfRun } from '../../dialects/kit/account.ts';
import { clockOf, pauseOf, type Story, type StoryTurn } from '../../dialects/kit/story.ts';
import { gapsBefore, type LogUsage } from '../../dialects/kit/usage.ts';
import { MOST_SLOWEST } from '../../dialects/sessions/kit/time.ts';
import type { LogStory } from './story-of-log.ts';

// A program may continue a session in further logs. They are one run, which ends with the last of them.

/** Where the time of one log of a run went. In milliseconds since 1970: its first and last time. */
export interface LogTime {
  readonly time?: TimeOfRun | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** The name of a further log. */
  readonly part?: string;
  readonly usage?: LogUsage | undefined;
}

/** The slowest calls of a log, by the name of the log if it is not that of the run. */
interface SlowestCalls {
  readonly slowest?: TimeOfRun['slowest'] | undefined;
  readonly part?: string;
}

const joinedSlowest = (logs: readonly SlowestCalls[]): TimeOfRun['slowest'] =>
  logs
    .flatMap(({ slowest = [], part }) => slowest.map((call) => ({ ...call, ...(part && { part }) })))
    .sort((a, b) => b.took_ms - a.took_ms)
    .slice(0, MOST_SLOWEST);

/** The time of a run with the slowest calls of its subagents among its own. The run waits for them, so nothing is added up. */
export const withSlowestOf = (time: TimeOfRun, agents: readonly SlowestCalls[]): TimeOfRun => ({
  ...time,
  slowest: joinedSlowest([time, ...agents]),
});

/** Adds up the times of the logs of a run. Between two logs it was idle, unless records are missing there. Undefined if no log shows where its time went. */
export function joinedTime(logs: readonly LogTime[]): TimeOfRun | undefined {
  if (logs.every(({ time }) => time === undefined)) return undefined;
  const sum = { lasted_ms: 0, model_ms: 0, tools_ms: 0, waited_ms: 0, idle_ms: 0, unknown_ms: 0 };
  const gaps = gapsBefore(logs.map(({ usage }) => usage));
  let before: number | undefined;
  for (const [at, { time, start, end }] of logs.entries()) {
    const pause = Math.max(0, (start ?? 0) - (before ?? Infinity));
    const own = time ?? { ...sum, ...NO_WORK, ...idle((end ?? 0) - (start ?? 0)) };
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += own[name] ?? 0;
    sum.lasted_ms += pause;
    sum[gaps[at] ? 'unknown_ms' : 'idle_ms'] += pause;
    before = end ?? before;
  }
  const { unknown_ms, ...known } = sum;
  return {
    ...known,
    ...(unknown_ms > 0 && { unknown_ms }),
    slowest: joinedSlowest(logs.map(({ time, ...log }) => ({ slowest: time?.slowest, ...log }))),
  };
}

const NO_WORK = { model_ms: 0, tools_ms: 0, waited_ms: 0 };
const idle = (ms: number) => ({ lasted_ms: ms, idle_ms: ms });

/** What is joined of a log. */
type ReadLog = Pick<LogStory, 'story' | 'details' | 'usage'>;

/** A log in which a session continues, by the name that commands accept. */
interface FurtherLog extends ReadLog {
  readonly name: string;
}

const timeOfLog = ({ story, details, usage }: ReadLog): LogTime => ({
  usage,
  time: story.time,
  start: parseInstant(details?.started_at),
  end: parseInstant(details?.ended_at),
});

/** The turns of a further log, numbered on, with its name. */
const turnsAfter = (before: readonly StoryTurn[], { name: part, story }: FurtherLog): StoryTurn[] => {
  const last = before.reduce((most, { turn }) => Math.max(most, turn), 0);
  return story.turns.map(({ turn, ...rest }) =>
    turn === 0
      ? { turn, part, title: `Before turn ${last + 1}`, ...rest }
      : { turn: last + turn, part, ...rest },
  );
};

/** Turns that say that records before them are missing. */
function afterGap([first, ...rest]: readonly StoryTurn[]): StoryTurn[] {
  if (first === undefined) return [];
  const { line } = first;
  const title = 'the records before this log are missing';
  return [{ ...first, items: [{ kind: 'divider', line, title, tone: 'bad' }, ...first.items] }, ...rest];
}

/** After the last turn of a log, the run was idle until the first one of the next, unless records are missing between them (`isGap`). */
function withPause(turns: readonly StoryTurn[], next: readonly StoryTurn[], isGap: boolean): StoryTurn[] {
  const last = turns.at(-1);
  const [from, to] = [last?.time, next.find(({ turn }) => turn > 0)?.time].map((time) => parseInstant(time));
  if (last === undefined || from === undefined || to === undefined) return [...turns];
  const { idle_ms: _, ...own } = last;
  const pause = Math.max(0, to - from - clockOf(last) - pauseOf({ ...last, idle_ms: 0 }));
  const unknown = pause + (own.unknown_ms ?? 0);
  return [...turns.slice(0, -1), { ...own, ...(isGap ? { unknown_ms: unknown } : { idle_ms: pause }) }];
}

/** The story of a session that continues in further logs, in order. */
export function joinedStory(first: ReadLog, further: readonly FurtherLog[]): Story {
  const last = further.at(-1)?.story;
  if (last === undefined) return first.story;
  const time = joinedTime([
    timeOfLog(first),
    ...further.map((log) => ({ ...timeOfLog(log), part: log.name })),
  ]);
  let turns = first.story.turns;
  const logs = [first, ...further];
  const [, ...gaps] = gapsBefore(logs.map(({ usage }) => usage));
  for (const [at, log] of further.entries()) {
    const next = turnsAfter(turns, log);
    const isGap = gaps[at] ?? false;
    turns = [...withPause(turns, next, isGap), ...(isGap ? afterGap(next) : next)];
  }
  const agents = Object.assign({}, ...logs.map(({ story }) => story.agents ?? {}));
  const { tone: _, ...own } = first.story;
  const unsure = logs.reduce((sum, { story }) => sum + (story.unsure_tokens ?? 0), 0);
  return {
    ...own,
    status: last.status,
    ...(last.tone && { tone: last.tone }),
    ...(time && { time }),
    ...(logs.some(({ story }) => story.tokens_by_turn === false) && { tokens_by_turn: false }),
    ...(unsure > 0 && { unsure_tokens: unsure }),
    ...(Object.keys(agents).length > 0 && { agents }),
    turns,
  };
}
