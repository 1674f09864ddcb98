import type { Severities } from '../../findings/catalogue-severities.ts';
import type { EventRemark, EventReporter, LoggedEvent } from '../../findings/check.ts';

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

  /** Everything that is wrong with the next event of a run. */
  doubts(type: string, event: Event, run: Run): readonly Doubt[] {
    let found: Doubt[] | undefined;
    for (const rule of this.#byType.get(type) ?? this.#every) {
      const doubts = rule(event, run);
      if (doubts !== undefined) found = found === undefined ? [doubts].flat() : found.concat(doubts);
    }
    return found ?? NONE;
  }
}

/** Reports doubts about the current record. */
export function reportDoubts(report: EventReporter, logged: LoggedEvent, doubts: readonly Doubt[]): void {
  for (const { ifWhole, once, ...remark } of doubts) {
    const to = ifWhole ? report.ifWhole : report;
    if (once) to.once(once.key, logged, remark, once.words);
    else to.at(logged, remark);
  }
}

/** The messages of the doubts for which `append` refuses an event: those that are an error or a warning. */
export function objections(
  doubts: readonly Pick<EventRemark, 'code' | 'severity' | 'message'>[],
  severities: Severities,
): string[] {
  return doubts.flatMap(({ code, severity = severities.get(code), message }) =>
    severity === 'info' ? [] : [message],
  );
}
