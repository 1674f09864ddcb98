import type { Abridge } from '../log-summary.ts';

/** Scalar members, then a message that begins with a tool result. Anything after it does not matter. */
const RESULT =
  /^\{(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*?"type":"user",(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*"message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"\\]*",)?"type":"tool_result"/;

/** A result, whatever it is of. */
const A_RESULT = { type: 'user', message: { content: [{ type: 'tool_result' }] } };
const A_SIDE_RESULT = { ...A_RESULT, isSidechain: true };

/**
 * A list only needs to know that a result exists, and its agent, because it shows that the turn continues.
 */
export const abridge: Abridge = (start) => {
  const [head] = RESULT.exec(start) ?? [];
  if (head === undefined) return undefined;
  return head.includes('"isSidechain":true,') ? A_SIDE_RESULT : A_RESULT;
};
