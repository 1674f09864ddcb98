import { isObject, type JsonObject } from '../../base/json/value.ts';
import { writeJson } from '../../base/json/write.ts';
import { EVENT_TYPES } from './event-types.ts';
import { fillIn } from './sentence.ts';

/** The sentence for types that are not built in. */
const OTHER_TYPE =
  '[{taskId|pr}][ {teammateName}][ {title|error|failureReason|status|tddPhase}][ {passed?passed:failed}]';

/** Why a workflow was pruned. */
export function describePruned(data: JsonObject): string {
  const said = fillIn('[no activity for {stalenessMinutes} min][ ({triggeredBy})]', data);
  return said === '' ? 'no activity' : said;
}

/** A short description of an event for a table. Trace text, not escaped. */
export function describeEvent({ type, data }: JsonObject): string {
  if (!isObject(data)) return '';
  const known = typeof type === 'string' ? EVENT_TYPES.get(type) : undefined;
  const said = fillIn(known?.sentence ?? OTHER_TYPE, data);
  return said === '' ? writeJson(data) : said;
}
