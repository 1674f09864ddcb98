import { isObject, type JsonObject } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';

/** An event in a few words: its text, else its summary, else the whole payload; an empty text is none (fishbowl.md §8). */
export function describeEvent({ payload }: JsonObject): string {
  if (!isObject(payload)) return '';
  for (const text of [payload['text'], payload['summary']])
    if (typeof text === 'string' && text !== '') return text;
  return writeJson(payload);
}
