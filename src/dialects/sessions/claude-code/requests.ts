import { createHash, type Hash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { listIn, messageText, objectIn, objectsIn, textIn } from '../../kit/members.ts';

// From 2.1.310 on, a session contains the SHA-256 of every message that was sent to the model.

/** JSON with sorted keys and without spaces, from which the program computes hashes. */
function sortedJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`);
  return `{${members.join(',')}}`;
}

/** The hash of a message that the program sent. */
export const messageHash = (message: JsonObject): string =>
  createHash('sha256').update(sortedJson(message)).digest('hex');

/** The hash of an answer, whose blocks are in several records. */
export class AnswerHash {
  readonly #hash: Hash = createHash('sha256').update('{"content":[');
  #blocks = 0;

  add(blocks: readonly JsonValue[]): void {
    for (const block of blocks) {
      this.#hash.update(`${this.#blocks === 0 ? '' : ','}${sortedJson(block)}`);
      this.#blocks += 1;
    }
  }

  digest(): string {
    return this.#hash.update('],"role":"assistant"}').digest('hex');
  }
}

/** The hashes that a request adds to those of the request that it continues. */
export const hashesIn = (request: JsonObject): string[] =>
  listIn(request, 'tail').filter((hash) => typeof hash === 'string');

const REMINDER = /\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;

/** A text without the reminders that the program adds when it sends it. */
export const withoutReminders = (text: string): string => text.replace(REMINDER, '').trimEnd();

/** What a message that was sent says: the texts of the user, and the results by the id of their call. */
export interface SentMessage {
  readonly prompt: string;
  readonly results: ReadonlyMap<string, JsonObject>;
}

/** Reads a message of the user that was sent. */
export function sentIn(blob: JsonObject): SentMessage {
  const message = objectIn(blob, 'message');
  const results = new Map<string, JsonObject>();
  const texts: string[] = [];
  const { content } = message;
  for (const block of typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : objectsIn(message, 'content')) {
    const call = textIn(block, 'tool_use_id');
    if (block['type'] === 'tool_result' && call !== undefined) results.set(call, block);
    else if (block['type'] === 'text') texts.push(withoutReminders(textIn(block, 'text') ?? ''));
  }
  return {
    prompt: texts
      .filter((text) => text.trim() !== '')
      .join('\n')
      .trim(),
    results,
  };
}

/** The text of a result, without reminders. */
export const resultSaid = (block: JsonObject): string => withoutReminders(messageText(block['content']));
