import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { recordsIn } from './registry.ts';

const allObjects = (value: JsonValue | undefined): readonly JsonObject[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : undefined;

/**
 * The events of an Inspect sample, or its messages if it has no events, each with its sample. Their kind is
 * copied to a member that nothing else uses.
 */
export function recordsOfSample({ id = null, epoch = null, events, messages }: JsonObject): JsonObject[] {
  const records = allObjects(events) ?? allObjects(messages) ?? [];
  return records.map((record) => {
    const { event: kind } = record;
    return { sample_id: id, epoch, ...(kind !== undefined && { event_type: kind }), ...record };
  });
}

/** Functions that return the records of a document, if it has a known form. */
const FORMS: readonly ((document: JsonObject) => readonly JsonObject[] | undefined)[] = [
  // SWE-agent: <instance>.traj
  ({ trajectory, info, environment }) =>
    info === undefined && environment === undefined ? undefined : allObjects(trajectory),
  // Inspect, written as JSON
  ({ eval: evaluation, samples }) => {
    const records = isObject(evaluation) ? allObjects(samples)?.flatMap(recordsOfSample) : undefined;
    return records?.length === 0 ? undefined : records;
  },
];

/** The records in a JSON document: a list, or a known form; undefined for anything else. */
export function recordsOfDocument(document: JsonValue): readonly JsonObject[] | undefined {
  const list = allObjects(document);
  if (list !== undefined) return list.flatMap((element) => recordsIn(element) ?? [element]);
  if (!isObject(document)) return undefined;
  for (const form of FORMS) {
    const records = form(document);
    if (records !== undefined) return records;
  }
  return recordsIn(document);
}
