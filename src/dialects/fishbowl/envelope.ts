import { valueAt } from '../../base/json/path.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { named, textOf, ticked } from '../../base/json/write.ts';
import type { EventRemark } from '../../findings/check.ts';
import { type SchemaIssue, schemaIssues } from '../../findings/schema-issues.ts';
import { SCHEMA_VERSION } from './read.ts';
import { coerceInteger, coerceTime } from './schema/coerce.ts';
import { compatibleEventSchema, eventSchema, unknownKeys } from './schema/event.ts';
import { payloadSchemaOf } from './schema/payloads.ts';

/** What the engine does if a member is missing. The event then looks complete. */
const FILLED_IN: Readonly<Record<string, string>> = {
  id: 'the engine makes up a new one each time it reads the event',
  created_at: 'the engine uses the time at which it reads the event',
  schema_version: 'the engine reads it as 1',
};

const CODES: Readonly<Record<string, EventRemark['code']>> = {
  kind: 'event/type-format',
  created_at: 'event/timestamp',
};

/**
 * What is wrong with the envelope. A fault that the engine refuses is an error; one that it converts is a warning
 * (fishbowl.md §1, §11).
 */
export function envelopeDoubts(event: JsonObject): readonly EventRemark[] {
  if (eventSchema.safeParse(event).success) return [];
  const found: EventRemark[] = unknownKeys(event).map((key) => {
    const message = `${ticked(key)} is not a member of an event: the engine refuses it`;
    return { code: 'event/unknown-key', message, path: [key] };
  });
  const refused = new Set<unknown>();
  for (const issue of schemaIssues(compatibleEventSchema, event)) {
    if (issue.path.length === 0) continue;
    refused.add(issue.path[0]);
    found.push(refusal(event, issue));
  }
  for (const { path, missing } of schemaIssues(eventSchema, event)) {
    const [key] = path;
    if (typeof key !== 'string' || refused.has(key)) continue;
    found.push({ path: [key], ...remarkOn(key, event[key] as JsonValue, missing) });
  }
  return found;
}

function refusal(event: JsonObject, { path, missing, message, expected, actual }: SchemaIssue): EventRemark {
  const key = String(path[0]);
  const value = event[key];
  const code = typeof value === 'string' ? CODES[key] : undefined;
  return {
    code: missing ? 'event/missing-field' : (code ?? 'event/wrong-type'),
    message:
      code === undefined
        ? message
        : `${ticked(textOf(value))} is not ${key === 'kind' ? `a kind: ${expected}` : 'an ISO 8601 time'}`,
    path,
    expected,
    ...(!missing && { actual: typeof value === 'string' ? value : actual }),
  };
}

/** The finding for a value that the engine accepts although the document does not describe it. */
function remarkOn(key: string, value: JsonValue, missing: boolean): EventRemark {
  if (missing) {
    const message = `${key} is missing: ${FILLED_IN[key]}`;
    return { code: 'event/missing-field', severity: 'warn', message };
  }
  if (key === 'kind') {
    const message =
      'the kind ends in a newline: the engine accepts it, but no filter by kind finds the event';
    return { code: 'event/type-format', message, actual: JSON.stringify(value) };
  }
  if (key === 'created_at') {
    const read = coerceTime(value) as string;
    const message = /[+-]\d\d:\d\d$/.test(read)
      ? `created_at is not in UTC (${read}): a database drops the offset`
      : `created_at is not written as a time in UTC; it is read as ${read.endsWith('Z') ? read : `${read}, in UTC`}`;
    return { code: 'event/timestamp', severity: 'info', message, actual: String(value) };
  }
  const message = `${key} is ${JSON.stringify(value)}: the engine reads it as ${coerceInteger(value)}, but other readers do not`;
  return { code: 'event/wrong-type', severity: 'warn', message, expected: 'an integer' };
}

/** What is wrong with a documented payload (fishbowl.md §6). Other kinds may have any object. */
export function payloadDoubts(kind: string, payload: JsonObject): readonly EventRemark[] {
  const schema = payloadSchemaOf(kind);
  if (schema === undefined) return [];
  return schemaIssues(schema, payload, ['payload']).map(
    ({ path, rule, missing, message, expected, actual }) => {
      const value = valueAt({ payload }, path);
      const isScore = kind === 'judge.verdict' && path[1] === 'scores' && typeof value === 'number';
      return {
        code: rule === 'range' ? 'event/range' : missing ? 'event/payload' : 'event/field-type',
        severity: 'warn',
        message: isScore
          ? `the score of ${named(path[2])} is ${value}, but scores go from 0 to 10`
          : `${message}${missing ? `: the engine cannot put this ${kind} on stage` : ''}`,
        path,
        expected,
        ...(!missing && { actual: isScore ? String(value) : actual }),
      };
    },
  );
}

/** What is wrong with the version: only one is known, and events with another are read as that. */
export function versionDoubts(event: JsonObject): readonly EventRemark[] {
  const version = coerceInteger(event['schema_version']);
  if (version === undefined || version === SCHEMA_VERSION) return [];
  const message = `schema_version is ${version}; the only known version is ${SCHEMA_VERSION}, so the event is read as that`;
  return [{ code: 'event/schema-version', message, path: ['schema_version'], actual: `${version}` }];
}
