import { isObject, type JsonObject } from '../../json/value.ts';
import { type Upcast, type Upcaster, UpcasterRegistry } from '../upcast.ts';

/** The forms of the log, oldest first (coordinator.md §3, older dialects). */
export const REVISIONS = ['2026-01-11', '2026-01-16', 'current'] as const;

const [FIRST, SECOND, CURRENT] = REVISIONS;

/** Set on an event of a time when no critic stood between developer and auditor. */
export const SKIPS_REVIEW = 'skips_review';

function renamed(event: JsonObject, type: string, details: JsonObject = {}): JsonObject {
  const before = isObject(event['details']) ? event['details'] : {};
  return { ...event, event_type: type, details: { ...before, ...details } };
}

const typeIn = (event: JsonObject): string => {
  const { event_type: type } = event;
  return typeof type === 'string' ? type : '';
};

function isResumingStart({ details }: JsonObject): boolean {
  const from = isObject(details) ? details['resumed_from'] : undefined;
  return from !== undefined && from !== null;
}

const fromFirst: Upcaster = {
  dialect: 'coordinator',
  from: FIRST,
  to: SECOND,
  upcast(event) {
    switch (typeIn(event)) {
      case 'developer_complete':
        return renamed(event, 'developer_ready_for_audit');
      case 'auditor_pass':
        return renamed(event, 'task_complete');
      case 'session_start':
        return isResumingStart(event) ? renamed(event, 'session_resume') : event;
      default:
        return event;
    }
  },
};

const SUPPORTING = 'supporting_agent_';

const fromSecond: Upcaster = {
  dialect: 'coordinator',
  from: SECOND,
  to: CURRENT,
  upcast(event) {
    const type = typeIn(event);
    if (type === 'developer_ready_for_audit')
      return renamed(event, 'developer_ready_for_review', { [SKIPS_REVIEW]: true });
    if (type === 'session_resume') return renamed(event, 'session_resumed');
    if (type.startsWith(SUPPORTING)) return renamed(event, `expert_${type.slice(SUPPORTING.length)}`);
    return event;
  },
};

/** The steps from older revisions of the coordinator's log to the present one. */
export const COORDINATOR_UPCASTERS = new UpcasterRegistry([fromFirst, fromSecond]);

/** Whether an event bears a mark that only older revisions left: a name that is gone, or a start that may resume. */
export function isOfOlderRevision(event: JsonObject): boolean {
  const type = typeIn(event);
  const { details } = event;
  if (type === 'session_start') return isObject(details) && Object.hasOwn(details, 'resumed_from');
  if (['developer_complete', 'auditor_pass', 'session_resume', 'developer_ready_for_audit'].includes(type))
    return true;
  return type.startsWith(SUPPORTING);
}

/** An event in its present form. Old names mean the same wherever they stand; all others pass through unchanged. */
export function upcastEvent(
  event: JsonObject,
  upcasters: UpcasterRegistry = COORDINATOR_UPCASTERS,
): JsonObject {
  const upcast: Upcast | undefined = upcasters.upcast('coordinator', event, FIRST, CURRENT);
  return upcast?.event ?? event;
}
