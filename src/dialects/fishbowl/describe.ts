import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { writeJson } from '../../base/json/write.ts';
import { textIn } from '../kit/members.ts';
import { joined, resultText, scoresText } from './run.ts';

const counted = (value: JsonValue | undefined, word: string): string | undefined =>
  isNumber(value) ? `${String(value)} ${word}` : undefined;

/** Descriptions for kinds whose payload is more than a text. */
const SENTENCES: ReadonlyMap<unknown, (payload: JsonObject) => string | undefined> = new Map([
  [
    'run.started',
    (payload) => {
      const cast = isObject(payload['cast']) ? Object.keys(payload['cast']).join(', ') : undefined;
      const task = joined([textIn(payload, 'goal'), textIn(payload, 'seed')], '; seed: ');
      return joined([textIn(payload, 'scenario'), task, cast && `cast: ${cast}`], '; ');
    },
  ],
  [
    'judge.verdict',
    (payload) => {
      const scores = scoresText(payload);
      const result = joined([resultText(payload), scores && `scores: ${scores}`], '; ');
      return joined([result, textIn(payload, 'text')], ': ');
    },
  ],
  [
    'run.finished',
    (payload) => {
      const result = resultText(payload) ?? 'nobody won';
      const counts = joined([counted(payload['turns'], 'turns'), counted(payload['tokens'], 'tokens')], ', ');
      const head = joined([textIn(payload, 'reason'), result], ': ');
      return joined([head, counts], '; ');
    },
  ],
]);

/**
 * An event in a few words: a sentence for kinds that begin, judge or end a run; otherwise its text, its summary, or the
 * whole payload. An empty text is ignored (fishbowl.md §8).
 */
export function describeEvent({ kind, payload }: JsonObject): string {
  if (!isObject(payload)) return '';
  const sentence = SENTENCES.get(kind)?.(payload);
  if (sentence !== undefined) return sentence;
  for (const text of [payload['text'], payload['summary']])
    if (typeof text === 'string' && text !== '') return text;
  return writeJson(payload);
}
