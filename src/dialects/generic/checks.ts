import { named } from '../../base/json/write.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { type EventReporter, type LogEnd, type LoggedEvent, ReportingCheck } from '../../findings/check.ts';
import { RepeatedIds } from '../kit/repeated-ids.ts';
import { memberAt, textFor, timeFor } from './fields.ts';
import type { FieldMap } from './format.ts';

/** Checks only the members that the user mapped. */
export class MappedCheck extends ReportingCheck {
  readonly #map: FieldMap;
  readonly #ids = new RepeatedIds(this.report);
  readonly #parents: { readonly line: number; readonly id: string | undefined; readonly parent: string }[] =
    [];
  #time: { readonly instant: number; readonly line: number } | undefined;
  #ordinal: { readonly value: number; readonly line: number } | undefined;
  #text: string | undefined;

  constructor(report: EventReporter, map: FieldMap) {
    super(report);
    this.#map = map;
  }

  row(logged: LoggedEvent): void {
    const { id, parent, time, ordinal } = this.#map;
    if (id !== undefined) this.#id(logged, id);
    else this.#repeated(logged);
    if (parent !== undefined) this.#parent(logged);
    if (time !== undefined) this.#inOrder(logged, time);
    if (ordinal !== undefined) this.#counted(logged, ordinal);
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
    if (this.#map.id === undefined) return;
    for (const { line, id, parent } of this.#parents)
      if (!this.#ids.has(parent))
        this.report.ifWhole.onLine(line, id, {
          code: 'lineage/missing-parent',
          message: `the parent of the record, ${named(parent)}, is not in this log`,
        });
  }

  #id(logged: LoggedEvent, path: string): void {
    const text = textFor(logged.event, 'id', this.#map);
    if (text !== undefined) this.#ids.add(logged, text, path.split('.'));
  }

  #repeated(logged: LoggedEvent): void {
    const { text } = logged.record;
    if (text === this.#text)
      this.report.at(logged, {
        code: 'event/repeated-record',
        message: 'the record is identical to the one before it',
      });
    this.#text = text;
  }

  #parent({ event, line }: LoggedEvent): void {
    const parent = textFor(event, 'parent', this.#map);
    if (parent !== undefined) this.#parents.push({ line, id: textFor(event, 'id', this.#map), parent });
  }

  #inOrder(logged: LoggedEvent, member: string): void {
    const path = member.split('.');
    const text = timeFor(logged.event, this.#map);
    if (text === undefined) return;
    const instant = parseInstant(text);
    if (instant === undefined) {
      const message = `${JSON.stringify(text)} cannot be read as a time: use ISO 8601, or a number since 1970`;
      this.report.at(logged, { code: 'event/timestamp', message, path });
      return;
    }
    const before = this.#time;
    this.#time = { instant, line: logged.line };
    if (before === undefined || instant >= before.instant) return;
    const message = `the record is stamped earlier than the one on line ${before.line}`;
    this.report.at(logged, { code: 'event/time-order', message, path });
  }

  #counted(logged: LoggedEvent, member: string): void {
    const value = memberAt(logged.event, member);
    if (typeof value !== 'number') return;
    const path = member.split('.');
    const before = this.#ordinal;
    this.#ordinal = { value, line: logged.line };
    if (before === undefined || value === before.value + 1) return;
    if (value === before.value) {
      const message = `${value} is already on line ${before.line}`;
      this.report.ifWhole.at(logged, { code: 'sequence/duplicate', message, path });
    } else if (value < before.value) {
      const message = `${value} comes after ${before.value} on line ${before.line}`;
      this.report.ifWhole.at(logged, { code: 'sequence/backwards', message, path });
    } else {
      const message = `${before.value} is followed by ${value}`;
      this.report.ifWhole.at(logged, { code: 'sequence/gap', message, path });
    }
  }
}
