import type { LogRecord } from '../../log/record.ts';
import type { Account, AccountBuilder, EndingReason } from '../account.ts';
import { excerptOf } from '../excerpt.ts';
import { failureIn } from './failure.ts';
import { describeEvent, textFor } from './fields.ts';
import type { FieldMap } from './format.ts';

/** The number of failures that are listed; the last ones. */
const MOST_FAILURES = 3;
/** In UTF-16 units: an event without a text is shown as JSON up to this length. */
const LONGEST = 200;

/** The account of a log in an unknown format: likely failures, and its last event. */
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
    // The end of a log in an unknown format cannot be recognised.
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
    const text = `${before} more that look like failures, the first`;
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
