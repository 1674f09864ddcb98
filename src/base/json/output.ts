import { inCamelCase, inSnakeCase, type StoredMembers } from './member-names.ts';

/** Members of outputs that contain words of logs, files or the user instead of names of the program. */
const STORED_MEMBERS: StoredMembers = {
  // Statistics and totals by word.
  agents: 'keys',
  counts: 'keys',
  days: 'keys',
  failures: 'keys',
  groups: 'keys',
  missing: 'keys',
  models: 'keys',
  names: 'keys',
  phases: 'keys',
  statuses: 'keys',
  tokens_by_model: 'keys',
  tools: 'keys',
  vetoes: 'keys',
  // The policy of a report: severities by code, settings and versions by dialect.
  schemas: 'value',
  settings: 'value',
  severities: 'keys',
  // What a log or a state stores.
  event: 'value',
  fields: 'value',
  metrics: 'value',
  outcome: 'value',
  state: 'value',
  projected: 'value',
  stored: 'value',
};

/** A value of the program as its JSON output has it: every name of a member is in snake_case. */
export const forOutput = (value: unknown): unknown => inSnakeCase(value, STORED_MEMBERS);

/** Reads {@link forOutput} back: a JSON output with the names that the program uses. */
export const fromOutput = (value: unknown): unknown => inCamelCase(value, STORED_MEMBERS);
