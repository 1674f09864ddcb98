import { EventError, type NoesisError } from '../base/errors.ts';
import { duplicateKey, lintJson } from '../base/json/lint.ts';
import type { JsonObject } from '../base/json/value.ts';
import { feed } from '../log/feed.ts';
import { AS_STORED } from '../log/log-form.ts';
import { LogParser } from '../log/parser.ts';
import type { LogRecord } from '../log/record.ts';

/** An event that was passed in, and its line. */
interface InputEvent {
  readonly line: number;
  readonly event: JsonObject;
}

function refused(name: string, line: number, why: string, column?: number): NoesisError {
  return new EventError('event-invalid', `line ${line} of ${name} is not an event: ${why}`, {
    place: { file: name, line, ...(column !== undefined && { column }) },
    hint: 'write one JSON object per line; nothing was appended',
  });
}

/** Why a record is not an event. A repeated key is refused because it is ambiguous. */
function faultOf({ bytes, valueStart, valueEnd, line }: LogRecord, name: string): NoesisError | undefined {
  for (const notice of lintJson(bytes, valueStart, valueEnd))
    if (notice.kind === 'duplicate-key') return refused(name, line, duplicateKey(notice));
  return undefined;
}

/** Reads events from a stream: one JSON object per line, ignoring blank lines. */
export class InputEvents {
  readonly #parser: LogParser;
  #events: InputEvent[] = [];
  #fault: NoesisError | undefined;

  /** `name`: the name of the input in messages. */
  constructor(name: string) {
    this.#parser = new LogParser(AS_STORED, {
      record: (record) => {
        this.#fault ??= faultOf(record, name);
        // Keeps numbers as they are written.
        if (this.#fault === undefined) this.#events.push({ line: record.line, event: record.exact });
      },
      corrupt: ({ line, column, message }) => {
        this.#fault ??= refused(name, line, message, column);
      },
    });
  }

  /** The events of the lines that these bytes complete. Throws `event-invalid`. */
  push(bytes: Uint8Array): InputEvent[] {
    feed(this.#parser, bytes);
    return this.#taken();
  }

  /** The event of a last line without a newline. */
  end(): InputEvent[] {
    this.#parser.end();
    return this.#taken();
  }

  #taken(): InputEvent[] {
    if (this.#fault && this.#events.length === 0) throw this.#fault;
    return this.#events.splice(0);
  }

  /** The fault in the line after the returned events. */
  get fault(): NoesisError | undefined {
    return this.#fault;
  }
}

/** Parses a text that is a single event. Throws `event-invalid`. */
export function eventFromText(text: string, name: string): JsonObject {
  const input = new InputEvents(name);
  const events = [...input.push(Buffer.from(`${text.trim().replaceAll(/[\r\n]+/g, ' ')}\n`)), ...input.end()];
  const [only] = events;
  if (only === undefined || events.length > 1) throw refused(name, 1, 'it must be one JSON object');
  return only.event;
}
