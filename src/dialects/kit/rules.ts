import { defined } from '../../base/json/defined.ts';
import type { Severities } from '../../findings/catalogue-severities.ts';
import type { EventRemark, EventReporter, LoggedEvent } from '../../findings/check.ts';
import type { FindingDraft } from '../../findings/findings.ts';
import type { Place } from '../../findings/place.ts';

/** Something about a log as a whole that is only certain at its end, such as which program wrote it. */
export interface Condition {
  readonly holds: boolean;
}

/** What a rule finds wrong with an event. The message is a sentence for `verify` and for `append`. */
export interface Doubt extends EventRemark {
  /** Whether a damaged line before the event could explain it, so that it only counts in an intact log. */
  readonly ifWhole?: true;
  /** Makes one finding of all doubts with this key, at the first event. */
  readonly once?: {
    readonly key: string;
    /** The message for so many events. Undefined if a later event removed the doubt. */
    words(count: number): string | undefined;
  };
  /** What must hold at the end of the log. */
  readonly onlyIf?: Condition;
  /** The place of the earlier event that it is about; absent: the event itself. */
  readonly about?: Place & { readonly eventId?: string };
  /** Keeps the finding, because later events decide whether it is reported, which the run does after the last one. */
  readonly keep?: (draft: () => FindingDraft) => void;
}

/** One finding for all events with this doubt, with their number. */
export function counted(remark: EventRemark): Doubt {
  const { message } = remark;
  const words = (count: number) => (count === 1 ? message : `${message} (${count} records)`);
  return { ...remark, once: { key: message, words } };
}

/**
 * Compares an event with its run before the event. It keeps nothing: what it needs of earlier events is in the run.
 * Returns undefined, not an empty list, for nearly all events, because a log may have millions.
 */
export type Rule<Event, Run> = (event: Event, run: Run) => Doubt | readonly Doubt[] | undefined;

type Named<Event, Run> = Readonly<Record<string, Rule<Event, Run>>>;

/** The rules of a format, by name. */
export interface RuleTable<Event, Run> {
  /** The rules for every event. They should read few members, and none that needs the record to be parsed. */
  readonly every: Named<Event, Run>;
  /** The rules for the events of a type. */
  readonly of: Readonly<Record<string, Named<Event, Run>>>;
}

/** The rules by type. */
type ByType<Event, Run> = RuleTable<Event, Run>['of'];

/** The same rules for several types. */
export const forEach = <Event, Run>(types: Iterable<string>, rules: Named<Event, Run>): ByType<Event, Run> =>
  Object.fromEntries([...types].map((type) => [type, rules]));

/** All rules of each type. A name is unique among the rules of its type. */
export function merged<Event, Run>(...tables: readonly ByType<Event, Run>[]): ByType<Event, Run> {
  const all = new Map<string, Named<Event, Run>>();
  for (const table of tables)
    for (const [type, rules] of Object.entries(table)) all.set(type, { ...all.get(type), ...rules });
  return Object.fromEntries(all);
}

/** The doubts among the answers of a rule with several questions. */
export const found = (...doubts: readonly (Doubt | undefined)[]): Doubt[] =>
  doubts.filter((doubt) => doubt !== undefined);

const NONE: readonly Doubt[] = [];

/** The rules of a format: `verify` reports what they find, and `append` refuses an event because of it. */
export class Rules<Event, Run> {
  /** The names, as `turns` or `judge.verdict: winner`. */
  readonly names: readonly string[];
  readonly #every: readonly Rule<Event, Run>[];
  readonly #byType: ReadonlyMap<string, readonly Rule<Event, Run>[]>;

  constructor({ every, of }: RuleTable<Event, Run>) {
    const types = Object.entries(of);
    this.names = [
      ...Object.keys(every),
      ...types.flatMap(([type, rules]) => Object.keys(rules).map((name) => `${type}: ${name}`)),
    ];
    this.#every = Object.values(every);
    this.#byType = new Map(
      types.map(([type, rules]) => [type, [...this.#every, ...Object.values(rules)]] as const),
    );
  }

  /** The rules for the events of a type. */
  of(type: string): readonly Rule<Event, Run>[] {
    return this.#byType.get(type) ?? this.#every;
  }

  /** Everything that is wrong with the next event of a run. */
  doubts(type: string, event: Event, run: Run): readonly Doubt[] {
    return doubtsOf(this.of(type), event, run);
  }
}

/** What some rules find wrong with the next event of a run. */
export function doubtsOf<Event, Run>(
  rules: readonly Rule<Event, Run>[],
  event: Event,
  run: Run,
): readonly Doubt[] {
  let all: readonly Doubt[] | undefined;
  for (const rule of rules) {
    const doubts = rule(event, run);
    if (doubts === undefined) continue;
    const list = 'code' in doubts ? [doubts] : doubts;
    all = all === undefined ? list : all.concat(list);
  }
  return all ?? NONE;
}

/** The part of a doubt that a finding shows. */
function remarkOf({ code, message, path, severity, hint, expected, actual }: Doubt): EventRemark {
  return defined({ code, message, path, severity, hint, expected, actual });
}

/** Reports a doubt about the current record, whatever its condition. */
function reportDoubt(report: EventReporter, logged: LoggedEvent, doubt: Doubt): void {
  const { ifWhole, once, onlyIf, about, keep } = doubt;
  const to = ifWhole ? report.ifWhole : report;
  if (keep) keep(() => report.draft(logged, remarkOf(doubt)));
  else if (once) to.once(once.key, logged, remarkOf(doubt), once.words);
  else if (about) {
    const { path: _path, ...rest } = remarkOf(doubt);
    to.report({ ...rest, ...about, file: to.file });
  }
  // A log may have a million doubts without a condition, so these are not copied.
  else to.at(logged, ifWhole || onlyIf ? remarkOf(doubt) : doubt);
}

/** Reports doubts about the current record. */
export function reportDoubts(report: EventReporter, logged: LoggedEvent, doubts: readonly Doubt[]): void {
  for (const doubt of doubts) reportDoubt(report, logged, doubt);
}

/** Doubts that only count under a condition. */
interface Held {
  readonly onlyIf: Condition;
  /** Receives them if the condition holds. */
  readonly to: EventReporter;
  readonly doubts: EventReporter;
}

/** Reports the doubts about the records of one log. */
export class DoubtReporter {
  readonly #report: EventReporter;
  readonly #held: Held[] = [];

  constructor(report: EventReporter) {
    this.#report = report;
  }

  /** Reports doubts about the current record. */
  add(logged: LoggedEvent, doubts: readonly Doubt[]): void {
    for (const doubt of doubts) {
      if (doubt.onlyIf) this.#hold(doubt.onlyIf, logged, doubt);
      else reportDoubt(this.#report, logged, doubt);
    }
  }

  #hold(onlyIf: Condition, logged: LoggedEvent, { ifWhole, ...doubt }: Doubt): void {
    const to = ifWhole ? this.#report.ifWhole : this.#report;
    let held = this.#held.find((one) => one.onlyIf === onlyIf && one.to === to);
    if (held === undefined) {
      held = { onlyIf, to, doubts: this.#report.later() };
      this.#held.push(held);
    }
    reportDoubt(held.doubts, logged, doubt);
  }

  /** Reports at the end of the log what was held back and counts. */
  settle(): void {
    for (const { onlyIf, to, doubts } of this.#held) if (onlyIf.holds) to.confirm(doubts);
  }
}

/** The messages of the doubts for which `append` refuses an event: those that are an error or a warning. */
export function objections(
  doubts: readonly Pick<Doubt, 'code' | 'severity' | 'message' | 'onlyIf'>[],
  severities: Severities,
): string[] {
  return doubts.flatMap(({ code, severity = severities.get(code), message, onlyIf }) =>
    severity === 'info' || onlyIf?.holds === false ? [] : [message],
  );
}
