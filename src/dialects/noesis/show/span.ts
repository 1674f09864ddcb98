import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { textOf } from '../../../base/json/write.ts';
import type { EventSpan, SpanOperation, SpanStatus } from '../../kit/account.ts';
import { listIn, textIn } from '../../kit/members.ts';
import { isSynthetic, isTerminate, timeOf } from '../event/kinds.ts';
import { errorOf, isFailure, resultOf } from '../event/outcome.ts';
import { isVetoed } from '../event/vocabulary.ts';

function statusOf(event: JsonObject, payload: JsonObject): SpanStatus {
  switch (event['phase']) {
    case 'governance':
      return payload['decision'] === 'veto' ? 'veto' : 'ok';
    case 'direction':
      return payload['status'] === 'blocked' ? 'veto' : 'ok';
    case 'act':
      return isFailure(resultOf(payload)) ? 'error' : 'ok';
    case 'reflect':
      return payload['success'] === false || payload['success'] === 0 ? 'error' : 'ok';
    case 'error':
      return 'error';
    default: {
      const status = isTerminate(event) ? textIn(payload, 'status') : undefined;
      return isVetoed(status) ? 'veto' : isFailure(status) ? 'error' : 'ok';
    }
  }
}

/** Whether an event may only repeat why the run failed: a direction, a reflection, or an end that says no more. */
function isEcho(event: JsonObject, payload: JsonObject): boolean {
  if (isTerminate(event))
    return isVetoed(textIn(payload, 'status')) || textIn(payload, 'message') === undefined;
  return event['phase'] === 'direction' || event['phase'] === 'reflect';
}

/** The tool of an act. */
export function toolOf({ phase, payload }: JsonObject): string | undefined {
  return phase === 'act' ? (textIn(payload, 'tool') ?? textIn(payload, 'adapter')) : undefined;
}

const nameOf = (event: JsonObject): string =>
  toolOf(event) ?? textIn(event, 'event_type') ?? textIn(event, 'phase') ?? '';

/** Why an event was refused or failed. */
function reasonOf(event: JsonObject, payload: JsonObject): string | undefined {
  switch (event['phase']) {
    case 'governance': {
      const rule = textIn(payload, 'rule_id');
      const policy = textIn(payload, 'policy_id');
      const enforced = payload['enforced'] === true ? '' : ' (not enforced)';
      const named = [policy, rule].filter((part) => part !== undefined).join(' ');
      return named === '' ? undefined : `${named}${enforced}`;
    }
    case 'act':
      return errorOf(payload) ?? `${toolOf(event) ?? 'act'}: ${resultOf(payload) ?? 'failed'}`;
    case 'error':
      return textIn(payload, 'message') ?? errorOf(payload) ?? textIn(payload, 'reason');
    case 'direction':
      return textIn(payload, 'reason');
    case 'reflect':
      return textIn(payload, 'reason') ?? (listIn(payload, 'reasons').map(textOf).join(', ') || undefined);
    default:
      return isTerminate(event) ? textIn(payload, 'message') : undefined;
  }
}

/** The operation of an event. A roll-up is not a tool call: its acts have their own events. */
function operationOf(event: JsonObject, payload: JsonObject): SpanOperation | undefined {
  if (isSynthetic(payload)) return undefined;
  const tool = toolOf(event);
  if (tool !== undefined) return { kind: 'tool', tool, callId: textIn(payload, 'action_candidate_id') };
  if (event['phase'] !== 'governance') return undefined;
  const { score } = payload;
  return {
    kind: 'evaluation',
    name: textIn(payload, 'policy_id') ?? textIn(payload, 'rule_id') ?? 'governance',
    label: textIn(payload, 'decision'),
    score: typeof score === 'number' ? score : undefined,
    explanation: textIn(payload, 'reason') ?? textIn(payload, 'message'),
  };
}

/** The times of an event. One with a duration but no start was written at the end of the work. */
function timesOf(
  event: JsonObject,
  metrics: JsonObject | undefined,
): Pick<EventSpan, 'start' | 'end' | 'durationMs'> {
  const [start, end] = [textIn(metrics, 'started_at'), textIn(metrics, 'completed_at')];
  const duration = metrics?.['duration_ms'];
  if (typeof duration !== 'number') return { start: start ?? timeOf(event), end };
  return start === undefined
    ? { end: end ?? timeOf(event), durationMs: duration }
    : { start, end, durationMs: duration };
}

/** The span of an event from its metrics and payload (noesis.md §2.1). */
export function spanOf(event: JsonObject): EventSpan {
  const payload = isObject(event['payload']) ? event['payload'] : {};
  const metrics = isObject(event['metrics']) ? event['metrics'] : undefined;
  return {
    name: nameOf(event),
    ...timesOf(event, metrics),
    status: statusOf(event, payload),
    subject: textIn(payload, 'step_id'),
    reason: reasonOf(event, payload),
    operation: operationOf(event, payload),
    ...(isSynthetic(payload) && { isSum: true }),
    ...(isEcho(event, payload) && { isEcho: true }),
  };
}
