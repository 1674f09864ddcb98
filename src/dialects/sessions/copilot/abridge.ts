import type { Abridge } from '../../kit/log-summary.ts';

/** Calls and related events, and messages of the program to the model. */
const UNLISTED = /^\{"type":"(?:tool|hook|permission|subagent|system)\./;

const NOTHING = {};

/** Most events of a session do not matter to a list. */
export const abridge: Abridge = (start) => (UNLISTED.test(start) ? NOTHING : undefined);
