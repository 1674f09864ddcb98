import type { JsonObject } from '../../json/value.ts';
import { objectIn } from '../excerpt.ts';

/** The forms of the log, oldest first (coordinator.md §3, older dialects). */
export const REVISIONS = ['2026-01-11', '2026-01-16', 'current'] as const;

/** Set on an event from before critics reviewed the work between developer and auditor. */
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

/** From the first revision to the second. */
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

/** From the second revision to the present form. */
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

/** Whether a type is a name that only older revisions used. */
export const isFormerType = (type: string): boolean => FORMER.has(type) || type.startsWith(SUPPORTING);

/** Whether an event bears a mark that only older revisions left: a name that is gone, or a start that may resume. */
export function isOfOlderRevision(event: JsonObject): boolean {
  const type = typeIn(event);
  if (type === 'session_start') return Object.hasOwn(objectIn(event, 'details'), 'resumed_from');
  return isFormerType(type);
}

const namesSession = ({ session_id: id }: JsonObject): boolean => id !== undefined && id !== null;

/**
 * Reads the events of one log in their present form, in the order of the file. The older revisions had no session ids,
 * so that an old name counts until the first event that names a session: behind it, it is a name that nothing knows.
 * All else passes through unchanged.
 */
export class RevisionReader {
  #isCurrent = false;

  /** Returns the next event in its present form; the same object if nothing changes. */
  read(event: JsonObject): JsonObject {
    this.#isCurrent ||= namesSession(event);
    return this.#isCurrent ? event : upcastEvent(event);
  }
}

/** One event in its present form, without context: an event with a session id is not of an older revision. */
export function upcastEvent(event: JsonObject): JsonObject {
  return namesSession(event) ? event : fromSecond(fromFirst(event));
}
