import type { Abridge } from '../dialect.ts';

/** Calls and what comes with them, and what the program tells the model. */
const UNLISTED = /^\{"type":"(?:tool|hook|permission|subagent|system)\./;

const NOTHING = {};

/** Most events of a session say nothing that a list shows. */
export const abridge: Abridge = (start) => (UNLISTED.test(start) ? NOTHING : undefined);
