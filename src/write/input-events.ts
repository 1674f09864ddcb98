import { EventError, type NoesisError } from '../errors.ts';
import { duplicateKey, lintJson } from '../json/lint.ts';
import { parseExactJson } from '../json/parse.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isObject } from '../json/value.ts';
import { feed } from '../log/feed.ts';
import { LogParser } from '../log/parser.ts';
import type { LogRecord } from '../log/record.ts';

/** An event as it was handed in, and the line it stood on. */
export interface InputEvent {
  readonly line: number;
  readonly event: JsonObject;
}

function refused(name: string, line: number, why: string, column?: number): NoesisError {
  return new EventError('event-invalid', `line ${line} of ${name} is no event: ${why}`, {
    place: { file: name, line, ...(column !== undefined && { column }) },
    hint: 'nothing of it was appended: an event is one JSON object on a line',
  });
}

/** Why a record is no event: what says a thing twice says nothing. */
function faultOf({ bytes, valueStart, valueEnd, line }: LogRecord, name: string): NoesisError | undefined {
  for (const notice of lintJson(bytes, valueStart, valueEnd))
    if (notice.kind === 'duplicate-key') return refused(name, line, duplicateKey(notice));
  return undefined;
}

/** Reads events as they come: one JSON object a line, blank lines left out. */
export class InputEvents {
  readonly #parser: LogParser;
  #events: InputEvent[] = [];
  #fault: NoesisError | undefined;

  /** `name`: what the input is called in messages. */
  constructor(name: string) {
    this.#parser = new LogParser({
      record: (record) => {
        this.#fault ??= faultOf(record, name);
        // With its numbers as they are written.
        if (this.#fault === undefined) this.#events.push({ line: record.line, event: record.exact });
      },
      corrupt: ({ line, column, message }) => {
        this.#fault ??= refused(name, line, message, column);
      },
    });
  }

  /** The events of whole lines that these bytes complete. Throws `event-invalid`. */
  push(bytes: Uint8Array): InputEvent[] {
    feed(this.#parser, bytes);
    return this.#taken();
  }

  /** The event of a last line without its newline. */
  end(): InputEvent[] {
    this.#parser.end();
    return this.#taken();
  }

  #taken(): InputEvent[] {
    if (this.#fault && this.#events.length === 0) throw this.#fault;
    return this.#events.splice(0);
  }

  /** What is wrong with a line behind the events that were given. */
  get fault(): NoesisError | undefined {
    return this.#fault;
  }
}

/** An event from a text that holds nothing else. Throws `event-invalid`. */
export function eventFromText(text: string, name: string): JsonObject {
  const input = new InputEvents(name);
  const events = [...input.push(Buffer.from(`${text.trim().replaceAll(/[\r\n]+/g, ' ')}\n`)), ...input.end()];
  const [only] = events;
  if (only === undefined || events.length > 1) throw refused(name, 1, 'it must be one JSON object');
  return only.event;
}

/** What a program hands in, as JSON has it: what JSON has no form for is refused. Throws `event-invalid`. */
export function eventFromValue(value: unknown, index: number): JsonObject {
  const refuse = (why: string) =>
    new EventError('event-invalid', `event ${index + 1} is not appended: ${why}`, {
      hint: 'nothing was appended',
    });
  let copy: JsonValue | undefined;
  try {
    const text = JSON.stringify(value, (_key, item: unknown) => {
      if (typeof item === 'number' && !Number.isFinite(item)) throw refuse(`JSON has no form for ${item}`);
      return item;
    });
    copy = text === undefined ? undefined : parseExactJson(text);
  } catch (error) {
    if (error instanceof EventError) throw error;
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (!isObject(copy)) throw refuse('it is no object');
  return copy;
}
