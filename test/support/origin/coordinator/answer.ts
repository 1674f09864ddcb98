import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { isNumber } from '../../../../src/base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/base/json/value.ts';
import { OriginFold } from './fold.ts';
import { checkPythonJson } from './json.ts';
import { OriginError } from './python.ts';
import { OriginQueues } from './queues.ts';

const CHUNK = 1024 * 1024;
/** The characters that Python's `strip` removes: not the byte order mark, which is white space in JavaScript. */
const SPACE = '[\\t-\\r\\u001c- \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const PYTHON_SPACE = new RegExp(`^${SPACE}|${SPACE}$`, 'g');
const NON_FINITE = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;

/** The result of the reference algorithms for a log: validity, state and queue (coordinator.md §5, §6). */
export interface OriginAnswer {
  readonly validate: JsonObject;
  readonly state_diff_from_empty: JsonObject;
  readonly pending_queues: JsonObject;
}

/** The lines of a file as Python's text mode splits them, one at a time. */
async function* textLines(path: string): AsyncGenerator<string, void, void> {
  const handle = await open(path, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (let ended = false; !ended; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, null);
      ended = bytesRead === 0;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const end = ended ? bytes.length : bytes.lastIndexOf(0x0a) + 1;
      const part = bytes.subarray(0, end);
      if (!isUtf8(part)) throw new OriginError('UnicodeDecodeError');
      const lines = part.toString('utf8').split(/\r\n|\r|\n/);
      if (lines.at(-1) === '') lines.pop();
      yield* lines;
      rest = bytes.subarray(end);
    }
  } finally {
    await handle.close();
  }
}

/** Parses a line as Python does. NaN and infinities become null: no fold computes with them. */
function parse(text: string): JsonValue {
  checkPythonJson(text);
  const json = text.replace(NON_FINITE, (part) => (part.startsWith('"') ? part : 'null'));
  return JSON.parse(json) as JsonValue;
}

class Validator {
  #lastValid = 0;
  #result: JsonObject | undefined;

  line(text: string, number: number): void {
    const line = text.replace(PYTHON_SPACE, '');
    if (this.#result || line === '') return;
    try {
      const event = parse(line);
      if (event === null || isNumber(event) || typeof event === 'boolean') throw new OriginError('TypeError');
      const has = (key: string) => (isObject(event) ? Object.hasOwn(event, key) : event.includes(key));
      if (!has('event_type') || !has('timestamp')) throw new OriginError('ValueError');
      this.#lastValid = number;
    } catch (error) {
      if (!(error instanceof OriginError)) throw error;
      this.#result =
        error.kind === 'JSONDecodeError'
          ? {
              status: 'corrupted',
              recoverable: true,
              corruption_line: number,
              last_valid_line: this.#lastValid,
              error: error.message,
            }
          : { raises: error.kind };
    }
  }

  result(): JsonObject {
    return this.#result ?? { status: 'valid' };
  }
}

/**
 * The result of the reference algorithms for a log, including errors: unlike ours, they stop at the first bad line, and
 * the rebuilding does not even skip a blank one (coordinator.md §5, §6).
 */
export async function originAnswer(path: string): Promise<OriginAnswer> {
  const validator = new Validator();
  const fold = new OriginFold();
  const queues = new OriginQueues();
  let raised: JsonObject | undefined;
  try {
    let number = 0;
    for await (const line of textLines(path)) {
      number += 1;
      validator.line(line, number);
      if (raised) continue;
      try {
        const event = parse(line);
        if (!isObject(event)) throw new OriginError('AttributeError');
        fold.add(event);
        queues.add(event);
      } catch (error) {
        if (!(error instanceof OriginError)) throw error;
        raised = { raises: error.kind };
      }
    }
  } catch (error) {
    if (error instanceof OriginError) {
      const raises = { raises: error.kind };
      return { validate: raises, state_diff_from_empty: raises, pending_queues: raises };
    }
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const validate = missing
      ? { status: 'missing', recoverable: true }
      : { status: 'unreadable', recoverable: false };
    return { validate, state_diff_from_empty: {}, pending_queues: queues.result() };
  }
  return {
    validate: validator.result(),
    state_diff_from_empty: raised ?? fold.difference(),
    pending_queues: raised ?? queues.result(),
  };
}
