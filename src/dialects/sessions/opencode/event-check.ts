import { basename, dirname } from 'node:path';
import { isThere, openable } from '../../../base/files/files.ts';
import { readWhole } from '../../../base/files/open-file.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { partsOf } from './records.ts';

/** The ending of the file with the events about a session, next to the copy of its records. */
const ENDING = '.events';

/** A message or a part as the tables have it. */
interface Stored {
  readonly line: number;
  /** Undefined if its JSON is damaged. */
  readonly value: JsonObject | undefined;
}

/** What the last event about a message or part says. */
interface LastChange {
  readonly value: JsonObject;
  /** The message of a part. */
  readonly message?: string | undefined;
}

/** The event log of a database: each change as an event, numbered per session. */
interface Events {
  /** The number of the last event, as the program keeps it. */
  readonly last: number | undefined;
  readonly events: readonly JsonObject[];
}

function eventsBeside(path: string): Events | undefined {
  const beside = path + ENDING;
  if (!isThere(dirname(beside), basename(beside))) return undefined;
  const status = openable(dirname(beside), beside);
  if (typeof status === 'string' || !status.isFile()) return undefined;
  const [head, ...events] = readWhole(beside)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const value: JsonValue | undefined = line === '' ? undefined : jsonIn(line);
      return isObject(value) ? [value] : [];
    });
  return head && { last: numberIn(head, 'last'), events };
}

/** Compares the rows of a database with its events. Only the records of a database have events next to them. */
export class EventCheck extends ReportingCheck {
  readonly #stored = new Map<string, Stored>();

  row(row: Row): void {
    const { event, line } = row;
    const add = (object: unknown): void => {
      const id = textIn(object, 'id');
      if (id !== undefined && isObject(object) && !this.#stored.has(id))
        this.#stored.set(id, { line, value: object });
    };
    add(event['info']);
    for (const part of partsOf(event)) add(part);
    const damaged = objectIn(event, 'damaged');
    for (const part of objectsIn(damaged, 'parts')) add(part);
    const id = textIn(damaged, 'id');
    if (id !== undefined) this.#stored.set(id, { line, value: undefined });
  }

  end({ whole, path }: LogEnd): void {
    const found = whole ? eventsBeside(path) : undefined;
    // Without an event that begins the session, it was made before there were events, or imported.
    if (found === undefined || this.#hasGap(found)) return;
    if (found.events[0]?.['type'] !== 'session.created.1') return;
    this.#compare(lastOf(found.events));
  }

  /** Reports numbers that are missing or come twice. */
  #hasGap({ last, events }: Events): boolean {
    let expected = 0;
    for (const { seq } of events) {
      if (typeof seq !== 'number') continue;
      if (seq === expected - 1) {
        this.#sequence('sequence/duplicate', `two events have the number ${seq}`, seq);
        return true;
      }
      if (seq !== expected) {
        this.#sequence(
          'sequence/gap',
          `the event ${expected} is missing: ${seq} follows ${expected - 1}`,
          expected,
        );
        return true;
      }
      expected += 1;
    }
    if (last === undefined || last === expected - 1) return false;
    const message = `the events end with ${expected - 1}, but the program counted ${last}: event ${expected} is missing`;
    this.#sequence('sequence/gap', message, expected);
    return true;
  }

  #sequence(code: 'sequence/gap' | 'sequence/duplicate', message: string, seq: number): void {
    this.report.onLine(1, undefined, { code, severity: 'error', message, actual: String(seq) });
  }

  #compare(said: ReadonlyMap<string, LastChange>): void {
    for (const [id, { line, value }] of this.#stored) {
      if (id.startsWith('ses_')) continue;
      const event = said.get(id);
      if (event === undefined) this.#differs(line, id, 'no event is about it');
      else if (value === undefined || !jsonEqual(value, event.value))
        this.#differs(line, id, 'its last event says something else');
    }
    for (const [id] of said)
      if (!this.#stored.has(id))
        this.#differs(1, id, 'its events do not say that it was removed, but it has no row');
  }

  #differs(line: number, id: string, why: string): void {
    const kind = id.startsWith('msg_') ? 'message' : 'part';
    this.report.onLine(line, id, {
      code: 'state/projection',
      severity: 'warn',
      message: `the ${kind} ${named(id)}: ${why}`,
    });
  }
}

/** The last state of each message and part, without those that were removed. */
function lastOf(events: readonly JsonObject[]): ReadonlyMap<string, LastChange> {
  const last = new Map<string, LastChange>();
  for (const { type, data } of events) {
    const info = objectIn(data, 'info');
    const part = objectIn(data, 'part');
    const id = textIn(type === 'message.part.updated.1' ? part : info, 'id');
    if (type === 'message.updated.1' && id !== undefined) last.set(id, { value: info });
    else if (type === 'message.part.updated.1' && id !== undefined)
      last.set(id, { value: part, message: textIn(part, 'messageID') });
    else if (type === 'message.part.removed.1') last.delete(textIn(data, 'partID') ?? '');
    else if (type === 'message.removed.1') {
      const removed = textIn(data, 'messageID') ?? '';
      last.delete(removed);
      // Its parts go with it, without an event of their own.
      for (const [one, { message }] of last) if (message === removed) last.delete(one);
    }
  }
  return last;
}
