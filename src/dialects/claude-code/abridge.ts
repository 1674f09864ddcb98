import type { Abridge } from '../dialect.ts';

/** Simple members, then a message that begins with what a tool gave; what else stands beside it does not matter. */
const RESULT =
  /^\{(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*?"type":"user",(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*"message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"\\]*",)?"type":"tool_result"/;

/** A result, whatever it is of. */
const A_RESULT = { type: 'user', message: { content: [{ type: 'tool_result' }] } };
const A_SIDE_RESULT = { ...A_RESULT, isSidechain: true };

/** Of a result a list asks only that it is one, and of whom: that the turn goes on. */
export const abridge: Abridge = (start) => {
  const [head] = RESULT.exec(start) ?? [];
  if (head === undefined) return undefined;
  return head.includes('"isSidechain":true,') ? A_SIDE_RESULT : A_RESULT;
};
