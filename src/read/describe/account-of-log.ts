import type { Dialect } from '../../dialects/dialect.ts';
import { modelsOf } from '../../dialects/kit/charges.ts';
import type { FindPrices } from '../../dialects/kit/prices.ts';
import { runOfRecord } from '../../dialects/kit/record-filters.ts';
import {
  furtherAmong,
  type LogUsage,
  lacksOfRun,
  modelsWithCosts,
  usageOfRun,
  withCostOf,
  withCosts,
} from '../../dialects/kit/usage.ts';
import { partName } from '../../dialects/registry.ts';
import { accountWithResume } from '../../dialects/sessions/kit/resume.ts';
import type { LogRecord } from '../../log/record.ts';
import { accountWithParts, type PartAccount, type RunAccount, withCounted } from './account-of-parts.ts';
import { joinedTime } from './further-logs.ts';
import { type AlsoReading, byCount, Gathering, gather, type LogAccount, SLOWEST } from './gathering.ts';

/**
 * Reads a log once and describes the run, leaving out corrupt lines but naming them. `run`: one run of a log
 * with many.
 */
export async function accountOfLog(
  path: string,
  dialect: Dialect,
  run?: string,
  also?: AlsoReading,
  parts: readonly string[] = [],
): Promise<LogAccount> {
  const gathering = new Gathering(dialect, await dialect.account?.(run));
  const runOf = run === undefined ? undefined : runOfRecord(dialect);
  const ofRun = (record: LogRecord) => (runOf && runOf(record) !== run ? undefined : gathering);
  const whole = await gather(path, dialect, [gathering], also, ofRun);
  const found = gathering.result();
  const { account: known } = found;
  const isDoubtful = run === undefined && (gathering.mayLack || whole.corruption !== undefined);
  const result =
    known && isDoubtful ? { ...found, account: await accountWithResume(known, path, dialect) } : found;
  const { account, moreFailed } = result;
  const own = gathering.usage();
  if (parts.length === 0)
    return { ...result, ...whole, ...(account && { account: withCounted(account, [own]) }) };
  const others = await readParts(parts, dialect);
  const usages = others.map((part) => part.usage);
  const usage = usageOfRun(own, usages);
  const timed = account && withTime(account, result, own, others);
  const joined = timed && withCounted(accountWithParts(timed, own, others), [own, ...usages]);
  const skippedInParts = new Map(
    others.flatMap(({ path, log: { skipped } }) => (skipped ? [[path, skipped]] : [])),
  );
  const { lacks: _, models, ...first } = result;
  return {
    ...withLogs({ ...first, ...whole }, others),
    ...(skippedInParts.size > 0 && { skippedInParts }),
    ...(joined && { account: joined }),
    moreFailed: others.reduce((sum, part) => sum + part.moreFailed, moreFailed),
    ...(usage ? { usage } : { ...(models && { models }), ...lacksOfRun([own, ...usages]) }),
  };
}

/** The account of a log that belongs to a run. */
interface ReadLog extends PartAccount {
  readonly path: string;
  readonly log: LogAccount;
}

/** Where the time of a run went, over its further logs too. */
function withTime(
  account: RunAccount,
  first: LogTimes,
  own: LogUsage,
  others: readonly ReadLog[],
): RunAccount {
  const timeOf = ({ account: one, start, end }: LogTimes) => ({ time: one?.time, start, end });
  const further = furtherAmong(others).map(({ name, log, usage }) => ({ ...timeOf(log), part: name, usage }));
  const time =
    further.length === 0 ? account.time : joinedTime([{ ...timeOf(first), usage: own }, ...further]);
  return { ...account, ...(time && { time }) };
}

type LogTimes = Pick<LogAccount, 'account' | 'start' | 'end'>;

/** The records of all logs of a run, and its beginning and end, which may be in a further log. */
function withLogs(first: LogAccount, others: readonly ReadLog[]): LogAccount {
  const further = furtherAmong(others);
  const counts = new Map(first.counts);
  for (const { log } of others)
    for (const [name, one] of log.counts) counts.set(name, (counts.get(name) ?? 0) + one);
  const ends = [first, ...further.map(({ log }) => log)];
  const [starts, stops] = [ends.flatMap(({ start }) => start ?? []), ends.flatMap(({ end }) => end ?? [])];
  const last = further.findLast(({ log }) => log.last !== undefined);
  const slowest = further.flatMap(({ name, log }) => log.slowest.map((event) => ({ ...event, part: name })));
  return {
    ...first,
    events: others.reduce((sum, { log }) => sum + log.events, first.events),
    bytes: others.reduce((sum, { log }) => sum + log.bytes, first.bytes),
    counts: byCount(counts),
    slowest: [...first.slowest, ...slowest].sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST),
    ...(last?.log.last && { last: { ...last.log.last, part: last.name } }),
    ...(starts.length > 0 && { start: Math.min(...starts) }),
    ...(stops.length > 0 && { end: Math.max(...stops) }),
  };
}

async function readParts(logs: readonly string[], dialect: Dialect): Promise<ReadLog[]> {
  const found: ReadLog[] = [];
  for (const path of logs) {
    const gathering = new Gathering(dialect, await dialect.account?.());
    const whole = await gather(path, dialect, [gathering]);
    const { agent, id } = gathering.session();
    const name = partName(path);
    const ids = [name, agent ?? id].filter((one) => typeof one === 'string');
    const log = { ...gathering.result(), ...whole };
    const { account, moreFailed } = log;
    found.push({ path, name, ids, account, moreFailed, usage: gathering.usage(), log });
  }
  return found;
}

/** The accounts of several runs in one log, in order. Reads the log once. */
export async function accountsOfLog(
  path: string,
  dialect: Dialect,
  runs: readonly string[],
): Promise<ReadonlyMap<string, LogAccount>> {
  const gatherings = new Map<string, Gathering>();
  for (const run of runs) gatherings.set(run, new Gathering(dialect, await dialect.account?.(run)));
  const runOf = runOfRecord(dialect);
  const ofItsRun = (record: LogRecord) => {
    const run = runOf?.(record);
    return run === undefined ? undefined : gatherings.get(run);
  };
  const whole = await gather(path, dialect, [...gatherings.values()], undefined, ofItsRun);
  return new Map([...gatherings].map(([run, gathering]) => [run, { ...gathering.result(), ...whole }]));
}

/** Replaces the charges of an account, its steps and its subagents by what they cost. */
export async function accountWithCost(known: LogAccount, find: FindPrices): Promise<LogAccount> {
  const { usage, account } = known;
  if (usage === undefined) return known;
  const prices = await find(modelsOf(usage.charges));
  const steps = account?.steps.map((step) => withCostOf(step, prices));
  const agents = account?.agents?.map((agent) => withCostOf(agent, prices));
  return {
    ...known,
    usage: {
      ...withCosts(usage, prices),
      models: modelsWithCosts(usage.models, usage.charges ?? [], prices),
    },
    ...(account && { account: { ...account, ...(steps && { steps }), ...(agents && { agents }) } }),
  };
}
