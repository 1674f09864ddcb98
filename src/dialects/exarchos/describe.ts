import { isNumber } from '../../json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';

const words = (...parts: (JsonValue | undefined)[]): string =>
  parts.filter((part) => (typeof part === 'string' && part !== '') || isNumber(part)).join(' ');

const list = (value: JsonValue | undefined): string =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : '';

const verdict = (value: JsonValue | undefined): string =>
  typeof value === 'boolean' ? (value ? 'passed' : 'failed') : '';

/** A step of a workflow; empty where neither end is given. */
const step = (from: JsonValue | undefined, to: JsonValue | undefined): string =>
  words(from, to) === '' ? '' : words(from, '→', to);

/** What an event says, in a few words for a table. Trace text: not yet escaped. */
export function describeEvent({ type, data }: JsonObject): string {
  if (!isObject(data)) return '';
  const said = inWords(type, data);
  return said === '' ? writeJson(data) : said;
}

/** Why a workflow was pruned: how long it was idle, and who asked. */
export function describePruned({ stalenessMinutes: minutes, triggeredBy }: JsonObject): string {
  const idle = isNumber(minutes) ? `no activity for ${String(minutes)} min` : 'no activity';
  return typeof triggeredBy === 'string' ? `${idle} (${triggeredBy})` : idle;
}

function inWords(type: JsonValue | undefined, data: JsonObject): string {
  const { taskId, from, to, featureId } = data;
  switch (type) {
    case 'workflow.started':
      return words(featureId, data['workflowType']);
    case 'workflow.transition':
    case 'workflow.fix-cycle':
    case 'workflow.compound-entry':
    case 'workflow.compound-exit':
    case 'workflow.cancel':
      return words(step(from, to), data['reason']) || words(data['compoundStateId'], data['count']);
    case 'workflow.pruned':
      return describePruned(data);
    case 'workflow.cleanup':
      return to === undefined ? words('was', data['previousPhase'], data['prUrl']) : step(from, to);
    case 'workflow.guard-failed':
      return words(data['guard'], step(from, to));
    case 'workflow.checkpoint':
      return words(data['phase']);
    case 'state.patched':
      return list(data['fields']);
    case 'gate.executed':
      return words(data['gateName'] ?? data['dimension'], verdict(data['passed']));
    case 'review.completed':
      return words(data['stage'], data['verdict'], data['summary']);
    case 'review.finding':
      return words(data['severity'], data['filePath'], data['message']);
    case 'team.spawned':
      return list(data['teammateNames']);
    case 'tool.invoked':
    case 'tool.completed':
    case 'tool.errored':
      return words(data['tool'], data['errorMessage']);
    default: {
      const detail =
        data['title'] ?? data['error'] ?? data['failureReason'] ?? data['status'] ?? data['tddPhase'];
      return words(taskId ?? data['pr'], data['teammateName'], detail, verdict(data['passed']));
    }
  }
}
