import type { Abridge } from '../../kit/log-summary.ts';

/** The beginning of a record whose message begins with a tool result. The rest does not matter. */
const RESULT =
  /^\{(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*?"type":"user",(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*"message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"\\]*",)?"type":"tool_result"/;

/** What is in every record of a subagent, and in the result of one. In a text, the quotes have backslashes. */
const AGENT = '"agentId":"';

/** How the details of a result begin that names a subagent. */
const LAUNCHES = ['"toolUseResult":{"status":"', '"toolUseResult":{"isAsync":'];

/** A record with a result. Its content does not matter to a list. */
const A_RESULT = { type: 'user', message: { content: [{ type: 'tool_result' }] } };

const PARENT = /^\{(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*?"parentUuid":"([^"\\]*)"/;

/**
 * A list only needs to know that a result exists, which record it is, and whether a subagent got it or was started. A result shows that the turn
 * continues.
 */
export const abridge: Abridge = (start, _line, has, after) => {
  const [head] = RESULT.exec(start) ?? [];
  if (head === undefined) return undefined;
  // The result of a subagent names its log. In the log of a subagent, every record names that.
  if (head.includes(AGENT) ? LAUNCHES.some(has) : has(AGENT)) return undefined;
  const [, parentUuid] = PARENT.exec(head) ?? [];
  // In a text, the quotes have backslashes, and what follows the message may have such members of its own.
  const [uuid, timestamp] = [after('"uuid":"', 'first'), after('"timestamp":"', 'first')];
  const origin = after('"forkedFrom":{"sessionId":"', 'last');
  return {
    ...A_RESULT,
    ...(uuid !== undefined && { uuid }),
    ...(timestamp !== undefined && { timestamp }),
    ...(parentUuid !== undefined && { parentUuid }),
    ...(head.includes('"isSidechain":true,') && { isSidechain: true }),
    ...(origin !== undefined && { forkedFrom: { sessionId: origin } }),
  };
};
