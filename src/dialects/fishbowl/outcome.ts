import { isNumber } from '../../json/stored-number.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { textIn } from '../excerpt.ts';

/** The scores of a verdict, as `ann 7, bob 3`; undefined where there are none. */
export function scoresText({ scores }: JsonObject): string | undefined {
  if (!isObject(scores)) return undefined;
  const given = Object.entries(scores).flatMap(([name, score]) =>
    isNumber(score) ? [`${name} ${String(score)}`] : [],
  );
  return given.length === 0 ? undefined : given.join(', ');
}

/** Who was accused, and whether that was right; undefined where the verdict accuses nobody. */
export function accusedText(verdict: JsonObject): string | undefined {
  const accused = textIn(verdict, 'accused');
  const { correct } = verdict;
  if (accused === undefined)
    return typeof correct === 'boolean' ? (correct ? 'correct' : 'wrong') : undefined;
  return `accused ${accused}${typeof correct === 'boolean' ? ` (${correct ? 'correct' : 'wrong'})` : ''}`;
}

/** Who won by a verdict or by the end of a run, and whom the verdict accused; undefined where neither is said. */
export function resultText(payload: JsonObject): string | undefined {
  const winner = textIn(payload, 'winner');
  const won = payload['no_contest'] === true ? 'no contest' : winner && `${winner} won`;
  const parts = [won, accusedText(payload)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}
