import { named } from '../../base/json/write.ts';
import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../findings/check.ts';
import { textIn } from '../kit/members.ts';
import { RepeatedIds } from '../kit/repeated-ids.ts';
import { isRequest, isSpan, nanosIn, parentOf, partsOfRequest } from './spans.ts';

const IDS = [
  ['traceId', 32],
  ['spanId', 16],
] as const;

const isId = (text: string, digits: number): boolean =>
  text.length === digits && /^[0-9a-f]+$/i.test(text) && !/^0+$/.test(text);

/** Checks the ids of spans, their parents and times. */
export class SpanCheck extends ReportingCheck {
  readonly #ids = new RepeatedIds(this.report);
  readonly #children: {
    readonly line: number;
    readonly id: string;
    readonly parent: string;
    readonly trace: string;
  }[] = [];

  row(logged: LoggedEvent): void {
    const { event, line } = logged;
    if (!isSpan(event)) return this.#other(logged);
    const { traceId: trace, spanId: id } = event as { traceId: string; spanId: string };
    this.#forms(logged);
    this.#times(logged);
    this.#ids.add(logged, `${trace} ${id}`, ['spanId']);
    const parent = parentOf(textIn(event, 'parentSpanId'));
    if (parent !== undefined) this.#children.push({ line, id, parent, trace });
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
    if (!log.whole) return;
    for (const { line, id, parent, trace } of this.#children)
      if (!this.#ids.has(`${trace} ${parent}`))
        this.report.onLine(line, id, {
          code: 'lineage/missing-parent',
          // The parent may belong to another service, or may not have been sampled.
          severity: 'info',
          message: `the parent ${named(parent)} is not in this file`,
        });
  }

  /** Checks a record that is not a span. A collector may write logs and other records to the same file. */
  #other(logged: LoggedEvent): void {
    const { event } = logged;
    if (isRequest(event)) {
      if (!partsOfRequest(event).includes(undefined)) return;
      const message = 'the request contains something other than spans, so its spans were not checked';
      return this.report.at(logged, { code: 'event/wrong-type', message, path: ['resourceSpans'] });
    }
    const members = [...IDS.map(([name]) => name), 'startTimeUnixNano'];
    if (members.every((name) => event[name] === undefined)) return;
    const key = members.find((name) => textIn(event, name) === undefined) ?? 'startTimeUnixNano';
    const message = `the record is not a span, because its ${key} is missing or not a string`;
    this.report.at(logged, { code: 'event/missing-field', message, path: [key] });
  }

  #forms(logged: LoggedEvent): void {
    for (const [key, digits] of IDS) {
      const text = logged.event[key] as string;
      if (isId(text, digits)) continue;
      const message = `${key} must have ${digits} hexadecimal digits, not all of them 0`;
      this.report.at(logged, { code: 'event/field-type', message, path: [key], actual: text });
    }
  }

  #times(logged: LoggedEvent): void {
    const { event } = logged;
    const [start, end] = [nanosIn(event, 'startTimeUnixNano'), nanosIn(event, 'endTimeUnixNano')];
    if (start === undefined) {
      const message = 'startTimeUnixNano is not a number of nanoseconds since 1970';
      this.report.at(logged, { code: 'event/timestamp', message, path: ['startTimeUnixNano'] });
    } else if (end !== undefined && end < start) {
      const message = `the span ends ${start - end} ns before it begins`;
      this.report.at(logged, { code: 'event/range', message, path: ['endTimeUnixNano'] });
    }
  }
}
