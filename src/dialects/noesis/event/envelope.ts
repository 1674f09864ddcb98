import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { textOf, ticked } from '../../../base/json/write.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import { counted, type Doubt } from '../../kit/rules.ts';
import { eventSchema, expectedSchema, runtimeEventSchema } from './schema.ts';
import { isOneOf, PHASES } from './vocabulary.ts';

/** Phases in which older runtimes wrote no ids. */
const WITHOUT_ID = new Set<unknown>(['insight', 'memory']);

/** An empty id, and an empty or null event type, count as missing. */
function codeOf({ path, rule, missing, actual }: SchemaIssue): FindingCode {
  const isEmpty = rule === 'range' || (path[0] === 'event_type' && actual === 'null');
  if (missing || isEmpty) return 'event/missing-field';
  return rule === 'words' ? 'event/vocabulary' : 'event/wrong-type';
}

function doubtAbout(issue: SchemaIssue, phase: JsonValue | undefined): Doubt {
  const { path, missing, message, expected, actual } = issue;
  const older = missing && path[0] === 'id' && WITHOUT_ID.has(phase);
  return {
    code: codeOf(issue),
    message: older ? `${message}, as older runtimes wrote ${textOf(phase)} events` : message,
    path,
    expected,
    ...(!missing && { actual }),
    ...(older && { severity: 'warn' }),
  };
}

/** What is wrong with the envelope of an event (noesis.md §2.1). */
export function envelopeDoubts(event: JsonObject): readonly Doubt[] {
  const { phase } = event;
  const schema = phase === 'runtime' ? runtimeEventSchema : eventSchema;
  const doubts = schemaIssues(schema, event).map((issue) => doubtAbout(issue, phase));
  for (const { path } of schemaIssues(expectedSchema, event)) {
    const key = String(path[0]);
    const message = `${key} is missing: it is optional, but every runtime writes it`;
    doubts.push(counted({ code: 'event/missing-field', severity: 'info', message, path: [key] }));
  }
  if (typeof phase === 'string' && phase !== '' && !isOneOf(PHASES, phase)) {
    const message = `${ticked(phase)} is not one of the ${PHASES.length} known phases: it counts as an extension`;
    doubts.push({ code: 'event/unknown-phase', message, path: ['phase'] });
  }
  return doubts;
}
