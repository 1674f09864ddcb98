import type { Abridge } from '../log-summary.ts';

/** Calls and related events, and messages from the program to the model. */
const UNLISTED = /^\{"type":"(?:tool|hook|permission|subagent|system)\./;

const NOTHING = {};

/** A list does not need most events of a session. */
export const abridge: Abridge = (start) => (UNLISTED.test(start) ? NOTHING : undefined);
