import { createHash } from 'node:crypto';
import type { JsonValue } from '../../../json/value.ts';
import { isObject } from '../../../json/value.ts';
import { IdIndex } from '../../../log/id-index.ts';
import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../verify/check.ts';
import type { UpcasterRegistry } from '../../upcast.ts';
import { type LedgerEvent, looseEvent, upcastEvent } from '../loose.ts';

/** A rule about the events of runs: handed those that a store would keep, in the order of the file. */
export interface RunCheck {
  event(logged: LoggedEvent, event: LedgerEvent): void;
  end?(log: LogEnd): void;
}

/** A value's JSON with the keys in order: the same for the same content. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`).join(',')}}`;
}

/** What came under each id, in a few bytes: whether two events are the same can be told without keeping them. */
class Fingerprints {
  #words = new BigUint64Array(1024);

  static of(value: JsonValue): bigint {
    return createHash('sha256').update(canonical(value)).digest().readBigUInt64LE();
  }

  set(ordinal: number, print: bigint): void {
    if (ordinal >= this.#words.length) {
      const words = new BigUint64Array(ordinal * 2);
      words.set(this.#words);
      this.#words = words;
    }
    this.#words[ordinal] = print;
  }

  get(ordinal: number): bigint | undefined {
    return this.#words[ordinal];
  }
}

/** Which events of a ledger are checked, and by which rules. */
export interface LedgerRules {
  readonly report: EventReporter;
  /** Handed every event, after upcasting. */
  readonly all: readonly EventCheck[];
  /** Handed the events of runs that a store would keep. */
  readonly runs: readonly RunCheck[];
  readonly upcasters: UpcasterRegistry;
  /** This run alone. */
  readonly runId: string | undefined;
}

/**
 * Leads the events of a ledger past the rules. An id counts once over the whole store, the first time it comes
 * (fishbowl.md §5): a repeat is said and goes no further.
 */
export class LedgerCheck implements EventCheck {
  /** Events of the run in question, or all. */
  events = 0;
  readonly #rules: LedgerRules;
  readonly #ids = new IdIndex();
  readonly #prints = new Fingerprints();

  constructor(rules: LedgerRules) {
    this.#rules = rules;
  }

  event(logged: LoggedEvent): void {
    const { all, runs, runId, upcasters } = this.#rules;
    const stored = logged.event;
    const event = upcastEvent(stored, upcasters)?.event ?? stored;
    const current = event === stored ? logged : { ...logged, event };
    const mine = runId === undefined || event['run_id'] === runId;
    const isNew = this.#identify(current, mine);
    if (!mine) return;
    this.events += 1;
    for (const check of all) check.event?.(current);
    const loose = isNew ? looseEvent(event) : undefined;
    if (loose) for (const check of runs) check.event(current, loose);
  }

  end(log: LogEnd): void {
    for (const check of this.#rules.all) check.end?.(log);
    for (const check of this.#rules.runs) check.end?.(log);
  }

  #identify(logged: LoggedEvent, mine: boolean): boolean {
    const { id, line, event } = logged;
    if (id === undefined) return true;
    const before = this.#ids.add(id, line);
    const print = Fingerprints.of(event);
    if (before < 0) {
      this.#prints.set(this.#ids.size - 1, print);
      return true;
    }
    if (!mine) return false;
    const same = this.#prints.get(before) === print;
    const first = this.#ids.lineOf(before);
    this.#rules.report.at(logged, {
      code: 'event/duplicate-id',
      severity: same ? 'info' : 'error',
      message: same
        ? `the event repeats the one on line ${first}; a store keeps it once`
        : `another event with this id stands on line ${first}; a store keeps that one and drops this one without a word`,
      path: ['id'],
      actual: id,
    });
    return false;
  }
}
