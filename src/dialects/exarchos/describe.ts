import { isObject, type JsonObject } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { fillIn } from './sentence.ts';
import { TYPE_WORDS } from './type-words.ts';

/** For types that are not built in. */
const OTHER_TYPE =
  '[{taskId|pr}][ {teammateName}][ {title|error|failureReason|status|tddPhase}][ {passed?passed:failed}]';

/** Why a workflow was pruned: how long it was idle, and who asked. */
export function describePruned(data: JsonObject): string {
  const said = fillIn('[no activity for {stalenessMinutes} min][ ({triggeredBy})]', data);
  return said === '' ? 'no activity' : said;
}

/** A short description of an event for a table. Trace text, not escaped. */
export function describeEvent({ type, data }: JsonObject): string {
  if (!isObject(data)) return '';
  const known = typeof type === 'string' && Object.hasOwn(TYPE_WORDS, type) ? TYPE_WORDS[type] : undefined;
  const said = fillIn(known?.[1] ?? OTHER_TYPE, data);
  return said === '' ? writeJson(data) : said;
}
