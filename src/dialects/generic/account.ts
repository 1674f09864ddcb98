import type { LogRecord } from '../../log/record.ts';
import type { Account, AccountBuilder, EndingReason } from '../kit/account.ts';
import { excerptOf } from '../kit/excerpt.ts';
import { failureIn } from './failure.ts';
import { describeEvent, textFor } from './fields.ts';
import type { FieldMap } from './format.ts';

/** At most this many failures are listed: the last ones. */
const MOST_FAILURES = 3;
/** In UTF-16 units: texts of events are cut at this length. */
const LONGEST = 200;

/** The account of a log of unknown format: likely failures, and the last event. */
export class GenericAccount implements AccountBuilder {
  readonly #map: FieldMap;
  readonly #failures: EndingReason[] = [];
  #count = 0;
  #first: number | undefined;
  #last: LogRecord | undefined;

  constructor(map: FieldMap) {
    this.#map = map;
  }

  add(record: LogRecord): void {
    const { value: event, line } = record;
    this.#last = record;
    const type = textFor(event, 'type', this.#map);
    const failure = failureIn(event, type);
    if (failure === undefined) return;
    this.#count += 1;
    this.#first ??= line;
    const text = excerptOf(describeEvent(event, this.#map), LONGEST);
    const facts = failure === '' || text.includes(failure) ? [] : [['error', failure] as const];
    this.#failures.push({ kind: type ?? 'failure', text, tone: 'bad', line, facts });
    if (this.#failures.length > MOST_FAILURES) this.#failures.shift();
  }

  result(): Account {
    // In an unknown format, it is not possible to recognise the end.
    return {
      status: 'unknown',
      isOver: undefined,
      why: [...this.#before(), ...this.#failures, ...this.#end()],
      steps: [],
    };
  }

  #before(): EndingReason[] {
    const before = this.#count - this.#failures.length;
    if (this.#first === undefined || before === 0) return [];
    const text = `the first of ${before} earlier events that look like failures`;
    return [{ kind: 'before', text, tone: 'doubtful', line: this.#first }];
  }

  #end(): EndingReason[] {
    if (this.#last === undefined || this.#failures.at(-1)?.line === this.#last.line) return [];
    const { value: event, line } = this.#last;
    return [
      { kind: 'last event', text: excerptOf(describeEvent(event, this.#map), LONGEST), tone: 'name', line },
    ];
  }
}
