import type { Abridge } from '../../kit/log-summary.ts';

/** Calls and related events, and messages of the program to the model. */
const UNLISTED = /^\{"type":"(?:tool|hook|permission|subagent|system)\./;

/** Most events of a session do not matter to a list, except that later ones name them. */
export const abridge: Abridge = (start, _line, _has, after) => {
  if (!UNLISTED.test(start)) return undefined;
  // These members follow the data, which may have such members of its own.
  const [id, parentId] = [after('"id":"', 'last'), after('"parentId":"', 'last')];
  return { ...(id !== undefined && { id }), ...(parentId !== undefined && { parentId }) };
};
