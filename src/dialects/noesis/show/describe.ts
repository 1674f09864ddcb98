import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { textOf, writeJson } from '../../../base/json/write.ts';

const words = (...parts: (JsonValue | undefined)[]): string =>
  parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' ');

function steps(payload: JsonObject): string {
  const list = payload['step_records'] ?? payload['steps'];
  if (!Array.isArray(list)) return '';
  const names = list.map((step) => (isObject(step) ? words(step['kind']) : textOf(step).split(':')[0]));
  return `${list.length} step${list.length === 1 ? '' : 's'}: ${names.join(', ')}`;
}

function signals(payload: JsonObject): string {
  const list = payload['signals'];
  if (!Array.isArray(list)) return '';
  return list
    .map((signal) => (isObject(signal) ? words(signal['type'], signal['description']) : textOf(signal)))
    .join(', ');
}

/** A short description of an event for a table. Trace text, not escaped. */
export function describeEvent(event: JsonObject): string {
  const { phase, payload, event_type: type } = event;
  if (!isObject(payload)) return '';
  const text = (key: string) => payload[key];
  switch (phase) {
    case 'start':
    case 'observe':
      return words(text('task'));
    case 'intuition':
      return words(text('kind'), text('advice'));
    case 'interpret':
      return signals(payload);
    case 'plan':
      return steps(payload);
    case 'direction':
      return words(text('status'), text('reason'));
    case 'governance':
      return words(text('decision'), payload['enforced'] === true ? 'enforced' : '', text('rule_id'));
    case 'action_candidate':
      return words(text('kind'), text('action_candidate_id'));
    case 'act':
      return words(text('outcome'), text('step_id'), text('input_excerpt'));
    case 'reflect':
      return words(payload['success'] ? 'success' : 'no success', text('reason'));
    case 'learn':
      return words(text('scope'), text('policy_id'), text('learn_path'));
    case 'runtime':
      return words(type, text('status'), text('checkpoint_id'));
    case 'terminate':
      return words(text('status'), text('message'));
    case 'memory':
      return words(text('status'), text('reason'));
    case 'insight': {
      const metrics = isObject(payload['metrics']) ? payload['metrics'] : payload;
      const { success, act_count: acts, veto_count: vetoes } = metrics;
      const said = (value: JsonValue | undefined) => textOf(value ?? '?');
      return `success ${said(success)}, acts ${said(acts)}, vetoes ${said(vetoes)}`;
    }
    default:
      return writeJson(payload);
  }
}
