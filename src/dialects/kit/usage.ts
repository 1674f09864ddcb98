import { pushAll } from '../../base/files/push-all.ts';
import { byText } from '../../base/text/order.ts';
import type { NumberedRecords, UsageEntry } from '../sessions/kit/session.ts';
import { addCharges, type Charge, sizeOf } from './charges.ts';
import { type Cost, type Prices, withCost } from './prices.ts';
import { type Lacks, missingTokens, NO_TOKENS, plusTokens, type Tokens, totalTokens } from './tokens.ts';

/** The usage of one model. */
export interface ModelUsage {
  readonly answers: number;
  readonly tokens: Tokens;
  readonly cost?: Cost;
}

/** The order of models in every command: most answers first, then most tokens, then by name. */
export const byUse = (
  [a, x]: readonly [string, Pick<ModelUsage, 'answers' | 'tokens'>],
  [b, y]: readonly [string, Pick<ModelUsage, 'answers' | 'tokens'>],
): number => y.answers - x.answers || totalTokens(y.tokens) - totalTokens(x.tokens) || byText(a, b);

/** The models whose names the log has, in their order. */
export const namedModels = (models: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(models).filter((model) => model !== 'unknown');

/** Each model with what it cost. */
export function modelsWithCosts<Of>(
  models: Readonly<Record<string, Of>>,
  charges: readonly Charge[],
  prices: Prices | undefined,
): Record<string, Of & { readonly cost?: Cost }> {
  const ofModel = (name: string) => charges.filter(({ model }) => model === name);
  return Object.fromEntries(
    Object.entries(models).map(([name, used]) => {
      const { cost } = withCost({ charges: ofModel(name) }, prices);
      return [name, { ...used, ...(cost && { cost }) }];
    }),
  );
}

/** The usage of one or more runs. Copies of an answer count once. */
export interface Usage {
  readonly tokens: Tokens;
  /** Most used first. */
  readonly models: Readonly<Record<string, ModelUsage>>;
  /** Tokens by day in UTC, in order; answers without a time are on no day. */
  readonly days: Readonly<Record<string, Tokens>>;
  /** Absent if the tokens are all that were used, as far as the log shows. */
  readonly lacks?: Lacks;
  /** What prices are multiplied with, until there is a cost. */
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
}

/** The part of a total that is in other logs. */
export interface PartUsage {
  readonly logs: number;
  readonly tokens: Tokens;
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
}

/** The usage of a run with its subagents. */
export interface RunUsage extends Usage {
  /** The sum over all records, if it differs: records may repeat an answer. */
  readonly recorded_tokens?: number;
  /** False if the session has tokens, but none by turn. */
  readonly tokens_by_turn?: false;
  /** The tokens that follow a damaged line, so that no turn has them for certain. */
  readonly unsure_tokens?: number;
  /** The part that subagents with separate logs used. */
  readonly subagents?: PartUsage;
  /** The part in further logs of the session itself. */
  readonly parts?: PartUsage;
}

/** What one log says about usage. */
export interface LogUsage {
  /** Whether the log continues a session that begins in another one. */
  readonly is_part?: true;
  readonly usage?: readonly UsageEntry[];
  readonly recorded_tokens?: number;
  readonly tokens_by_turn?: false;
  /** The tokens that follow a damaged line, so that no turn has them for certain. */
  readonly unsure_tokens?: number;
  /** The number of its lines that could not be read. */
  readonly lost_lines?: number;
}

/** The further logs of a session among its other logs, which are those of subagents. */
export const furtherAmong = <Log extends { readonly usage?: LogUsage | undefined }>(
  others: readonly Log[],
): Log[] => others.filter(({ usage }) => usage?.is_part);

/** The tokens of some sessions; each entry counts once. */
function usedBy(runs: readonly string[], byRun: ReadonlyMap<string, readonly UsageEntry[]>): Tokens {
  const parts = new Set(runs.flatMap((run) => byRun.get(run) ?? []));
  return [...parts].reduce((sum, { tokens = NO_TOKENS }) => plusTokens(sum, tokens), NO_TOKENS);
}

/** How complete a copy of an answer or a call is, below 1: a log may end before the result of a call. */
function completeness({ isPartial = false, call }: UsageEntry): number {
  if (isPartial || call?.status === 'open') return 0;
  return call?.status === 'no result' ? 0.25 : 0.5;
}

/** The entries without as many missing records as lines were lost: these lines probably were the records. */
export function withoutLost(entries: readonly UsageEntry[], lostLines: number): readonly UsageEntry[] {
  if (lostLines === 0) return entries;
  let left = lostLines;
  return entries.filter(({ isMissing }) => {
    if (!isMissing || left === 0) return true;
    left -= 1;
    return false;
  });
}

/** Adds up answers. A fork of a session repeats those of its origin, which count once. */
export class UsageFold {
  /** By key; an entry without one is its own. */
  readonly #answers = new Map<string | UsageEntry, UsageEntry>();
  readonly #calls = new Map<string | UsageEntry, UsageEntry>();
  /** The last result, until more is added: several tables of statistics ask for it. */
  #result: Usage | undefined;
  #lostLines = 0;
  /** The logs of several runs whose lost lines are counted. */
  readonly #lostOf = new Set<string>();

  /**
   * `lostLines`: how many lines of the log could not be read. `sharedLog`: if several runs are in that log, its name, so
   * that its lost lines count once.
   */
  add(entries: readonly UsageEntry[], lostLines = 0, sharedLog?: string): void {
    this.#result = undefined;
    if (sharedLog === undefined || !this.#lostOf.has(sharedLog)) this.#lostLines += lostLines;
    if (sharedLog !== undefined && lostLines > 0) this.#lostOf.add(sharedLog);
    // Of an answer, one copy may have been made before it was complete. The one with more tokens counts; of two equal ones
    // that of the complete answer, else the later one.
    const size = (entry: UsageEntry) =>
      totalTokens(entry.total?.tokens ?? entry.tokens ?? NO_TOKENS) + completeness(entry);
    for (const entry of withoutLost(entries, lostLines)) {
      const { key = entry, tool } = entry;
      const byKey = tool === undefined ? this.#answers : this.#calls;
      const known = byKey.get(key);
      if (known === undefined || size(entry) >= size(known)) byKey.set(key, entry);
    }
  }

  /** The entries without repetitions. */
  get entries(): readonly UsageEntry[] {
    return [...this.#answers.values(), ...this.#calls.values()];
  }

  /** The entries without repetitions, with each as it counts: a total has the tokens that no other entry has. */
  get counted(): ReadonlyMap<UsageEntry, UsageEntry> {
    const byRun = this.#byRun();
    const asCounted = (entry: UsageEntry): UsageEntry => {
      const { total, ...own } = entry;
      return total === undefined
        ? entry
        : { ...own, tokens: missingTokens(total.tokens, usedBy(total.of, byRun)) };
    };
    return new Map(this.entries.map((entry) => [entry, asCounted(entry)]));
  }

  /** The entries with tokens, by the name of their session. */
  #byRun(): ReadonlyMap<string, readonly UsageEntry[]> {
    const byRun = new Map<string, UsageEntry[]>();
    for (const entry of this.entries) {
      if (entry.tokens === undefined || entry.total !== undefined) continue;
      for (const run of entry.runs ?? []) {
        const known = byRun.get(run);
        if (known) known.push(entry);
        else byRun.set(run, [entry]);
      }
    }
    return byRun;
  }

  result(): Usage {
    this.#result ??= this.#sums();
    return this.#result;
  }

  #sums(): Usage {
    const models = new Map<string, ModelUsage>();
    const days = new Map<string, Tokens>();
    const charges: Charge[] = [];
    for (const { model, answers = 0, tokens, day, above, stored, requests } of this.counted.values()) {
      if (tokens === undefined) continue;
      const sum = models.get(model) ?? { answers: 0, tokens: NO_TOKENS };
      models.set(model, { answers: sum.answers + answers, tokens: plusTokens(sum.tokens, tokens) });
      for (const request of requests ?? [{ above: above ?? sizeOf(tokens, answers === 1), tokens, stored }])
        charges.push({ model, day, ...request });
      if (day !== undefined) days.set(day, plusTokens(days.get(day) ?? NO_TOKENS, tokens));
    }
    const sorted = [...models].sort(byUse);
    return {
      tokens: sorted.map(([, { tokens }]) => tokens).reduce(plusTokens, NO_TOKENS),
      models: Object.fromEntries(sorted),
      days: Object.fromEntries([...days].sort(([a], [b]) => byText(a, b))),
      ...this.#lacks(),
      charges: addCharges(charges),
    };
  }

  #lacks(): Pick<Usage, 'lacks'> {
    const entries = this.entries;
    const logs = new Set(entries.flatMap(({ agent = [] }) => agent));
    const started = new Set(entries.flatMap(({ started = [] }) => started));
    const numbers = entries.flatMap(({ numbers: own = [] }) => own);
    const counts = {
      requests: entries.filter(({ isUncounted }) => isUncounted).length,
      answers: entries.reduce((sum, { isPartial, answers = 0 }) => sum + (isPartial ? answers : 0), 0),
      subagents: [...started].filter((id) => !logs.has(id)).length,
      logs: entries.filter((entry) => isAfterGap(entry, numbers)).length,
      lines: this.#lostLines + entries.filter(({ isUnread }) => isUnread).length,
      records: entries.filter(({ isMissing }) => isMissing).length,
    };
    const lacks = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    return Object.keys(lacks).length === 0 ? {} : { lacks };
  }
}

/**
 * The usage of a run: of its log, and of the logs of its subagents. Every command takes the tokens of a run from here.
 * Undefined if no record has any.
 */
export function usageOfRun(own: LogUsage, parts: readonly LogUsage[] = []): RunUsage | undefined {
  const [all, below, further] = [new UsageFold(), new UsageFold(), new UsageFold()];
  let [recorded, unsure] = [0, 0];
  for (const log of [own, ...parts]) {
    const { usage = [], recorded_tokens, unsure_tokens = 0, lost_lines } = log;
    // The turns of subagents are not those of the run.
    if (log === own || log.is_part) unsure += unsure_tokens;
    const single = new UsageFold();
    const other = log.is_part ? further : below;
    for (const fold of log === own ? [all, single] : [all, single, other]) fold.add(usage, lost_lines);
    recorded += recorded_tokens ?? totalTokens(single.result().tokens);
  }
  const sum = all.result();
  if (Object.keys(sum.models).length === 0) return undefined;
  return {
    ...sum,
    ...(recorded > totalTokens(sum.tokens) && { recorded_tokens: recorded }),
    ...(own.tokens_by_turn === false && { tokens_by_turn: false }),
    ...(unsure > 0 && { unsure_tokens: unsure }),
    ...partOf(
      'subagents',
      parts.filter(({ is_part }) => !is_part),
      below,
    ),
    ...partOf(
      'parts',
      parts.filter(({ is_part }) => is_part),
      further,
    ),
  };
}

/**
 * Whether an entry is of a log of a session before which records are missing: those of a whole log, or of the end of one. Without
 * an earlier log, nobody knows where the session began. `numbers`: the records that there are.
 */
function isAfterGap({ goesOnFrom }: UsageEntry, numbers: readonly NumberedRecords[]): boolean {
  if (goesOnFrom === undefined) return false;
  const { session, number } = goesOnFrom;
  const earlier = numbers.filter((one) => one.session === session && one.from <= number);
  return earlier.length > 0 && earlier.every(({ to }) => to < number);
}

/** Before which logs of a session records are missing. The logs are in order. */
export function gapsBefore(logs: readonly (LogUsage | undefined)[]): boolean[] {
  const numbers: NumberedRecords[] = [];
  return logs.map(({ usage = [] } = {}) => {
    const isAfter = usage.some((entry) => isAfterGap(entry, numbers));
    pushAll(
      numbers,
      usage.flatMap(({ numbers: own = [] }) => own),
    );
    return isAfter;
  });
}

/** What the logs of a run lack. {@link usageOfRun} says it too, if a record has tokens. */
export function lacksOfRun(logs: readonly LogUsage[]): Pick<Usage, 'lacks'> {
  const fold = new UsageFold();
  for (const { usage = [], lost_lines } of logs) fold.add(usage, lost_lines);
  const { lacks } = fold.result();
  return lacks === undefined ? {} : { lacks };
}

const partOf = (name: 'subagents' | 'parts', { length: logs }: readonly LogUsage[], fold: UsageFold) =>
  logs === 0 ? {} : { [name]: usedIn(logs, fold) };

/** What some answers used. Undefined without answers. */
export function usedByAnswers(answers: readonly UsageEntry[]): Omit<PartUsage, 'logs' | 'cost'> | undefined {
  if (answers.length === 0) return undefined;
  const fold = new UsageFold();
  fold.add(answers);
  const { logs: _, ...used } = usedIn(1, fold);
  return used;
}

function withoutLogs({ logs: _, ...lacks }: Lacks): Lacks | undefined {
  return Object.keys(lacks).length === 0 ? undefined : lacks;
}

/** What some logs used. */
export function usedIn(logs: number, fold: UsageFold): PartUsage {
  const { tokens, lacks: all, charges } = fold.result();
  // Missing records are not in these logs.
  const lacks = all && withoutLogs(all);
  return { logs, tokens, ...(lacks && { lacks }), ...(charges && { charges }) };
}

/** Something with its cost instead of its charges: a minimum if tokens are missing. */
export function withCostOf<Of extends Pick<Usage, 'charges' | 'cost' | 'lacks'>>(
  of: Of,
  prices: Prices | undefined,
): Omit<Of, 'charges' | 'cost'> & Pick<Usage, 'cost'> {
  const costed = withCost(of, prices);
  const { cost } = costed;
  return { ...costed, ...(cost && of.lacks && { cost: { ...cost, isMinimum: true } }) };
}

/** The costs of a run, and of its subagents and further logs, instead of their charges. */
export function withCosts<Of extends Pick<RunUsage, 'charges' | 'cost' | 'lacks' | 'subagents' | 'parts'>>(
  of: Of,
  prices: Prices | undefined,
): Omit<Of, 'charges' | 'cost'> & Pick<RunUsage, 'cost' | 'subagents' | 'parts'> {
  const { subagents, parts } = of;
  return {
    ...withCostOf(of, prices),
    ...(subagents && { subagents: withCostOf(subagents, prices) }),
    ...(parts && { parts: withCostOf(parts, prices) }),
  };
}
