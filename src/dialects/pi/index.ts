import type { JsonObject } from '../../json/value.ts';
import type { Dialect } from '../dialect.ts';
import { textIn } from '../excerpt.ts';
import { defineSession } from '../kit/session.ts';
import { foldersOf } from '../program-folder.ts';
import { READING, sessionIn, typeOf } from './records.ts';

/** Records of the stream that other programs are sent; it begins with a header too. */
const STREAMED = /^(?:agent|turn|message|tool_execution)_(?:start|update|end)$/;

const isHeader = (event: JsonObject): boolean =>
  event['type'] === 'session' && ['id', 'timestamp', 'cwd'].every((name) => typeof event[name] === 'string');

/** Whether records are of a session: its header, or an entry if the head is lost (pi.md §2). */
function isSession(records: readonly JsonObject[]): boolean {
  const isEntry = (event: JsonObject) =>
    event['type'] === 'message' && 'parentId' in event && textIn(event['message'], 'role') !== undefined;
  const [first, second = {}] = records;
  if (first === undefined || records.some((one) => STREAMED.test(textIn(one, 'type') ?? ''))) return false;
  return isHeader(first) || (first['type'] === 'title' && isHeader(second)) || records.some(isEntry);
}

/** The sessions of pi, oh-my-pi and older OpenClaw: a tree of entries in a file (pi.md). */
export const pi: Dialect = defineSession({
  name: 'pi',
  title: 'pi session',
  isSession,
  sessionIn,
  homes: foldersOf(
    { env: 'PI_CODING_AGENT_SESSION_DIR' },
    { env: 'PI_CODING_AGENT_DIR', usual: '.pi/agent', below: 'sessions' },
    { usual: '.omp/agent', below: 'sessions' },
    { env: 'OPENCLAW_STATE_DIR', usual: '.openclaw', below: 'agents' },
  ),
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
});
