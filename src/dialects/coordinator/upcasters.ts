import type { JsonObject } from '../../base/json/value.ts';
import { objectIn } from '../kit/members.ts';

/** The revisions of the format, oldest first (coordinator.md §3, older dialects). */
export const REVISIONS = ['2026-01-11', '2026-01-16', 'current'] as const;

/** Set on events from before critics reviewed the work. */
export const SKIPS_REVIEW = 'skips_review';

function renamed(event: JsonObject, type: string, details: JsonObject = {}): JsonObject {
  return { ...event, event_type: type, details: { ...objectIn(event, 'details'), ...details } };
}

const typeIn = (event: JsonObject): string => {
  const { event_type: type } = event;
  return typeof type === 'string' ? type : '';
};

function isResumingStart(event: JsonObject): boolean {
  const { resumed_from: from } = objectIn(event, 'details');
  return from !== undefined && from !== null;
}

/** Converts from the first revision to the second. */
function fromFirst(event: JsonObject): JsonObject {
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
}

const SUPPORTING = 'supporting_agent_';

/** Converts from the second revision to the current one. */
function fromSecond(event: JsonObject): JsonObject {
  const type = typeIn(event);
  if (type === 'developer_ready_for_audit')
    return renamed(event, 'developer_ready_for_review', { [SKIPS_REVIEW]: true });
  if (type === 'session_resume') return renamed(event, 'session_resumed');
  if (type.startsWith(SUPPORTING)) return renamed(event, `expert_${type.slice(SUPPORTING.length)}`);
  return event;
}

const FORMER: ReadonlySet<string> = new Set([
  'developer_complete',
  'auditor_pass',
  'session_resume',
  'developer_ready_for_audit',
]);

export const isFormerType = (type: string): boolean => FORMER.has(type) || type.startsWith(SUPPORTING);

/** Whether an event can only be from an older revision: by its type, or by a start that may resume. */
export function isOfOlderRevision(event: JsonObject): boolean {
  const type = typeIn(event);
  if (type === 'session_start') return Object.hasOwn(objectIn(event, 'details'), 'resumed_from');
  return isFormerType(type);
}

const namesSession = ({ session_id: id }: JsonObject): boolean => id !== undefined && id !== null;

/**
 * Converts the events of a log to the current form, in log order. Older revisions had no session ids, so their names
 * only count until an event names a session.
 */
export class RevisionReader {
  #isCurrent = false;

  /** Returns an event in the current form; the same object if nothing changes. */
  read(event: JsonObject): JsonObject {
    this.#isCurrent ||= namesSession(event);
    return this.#isCurrent ? event : upcastEvent(event);
  }

  copy(): RevisionReader {
    const copy = new RevisionReader();
    copy.#isCurrent = this.#isCurrent;
    return copy;
  }
}

/** Converts one event to the current form. An event with a session id is current. */
export function upcastEvent(event: JsonObject): JsonObject {
  return namesSession(event) ? event : fromSecond(fromFirst(event));
}
