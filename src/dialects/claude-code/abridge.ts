import type { Abridge } from '../dialect.ts';

/** Simple members, then a message that begins with what a tool gave; what else stands beside it does not matter. */
const RESULT =
  /^\{(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*?"type":"user",(?:"\w+":(?:"(?:[^"\\]|\\.)*"|true|false|null),)*"message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"\\]*",)?"type":"tool_result"/;

/** A result, whatever it is of. */
const A_RESULT = { type: 'user', message: { content: [{ type: 'tool_result' }] } };

/** Of a result a list asks only that it is one: that the turn goes on. */
export const abridge: Abridge = (start) => (RESULT.test(start) ? A_RESULT : undefined);
