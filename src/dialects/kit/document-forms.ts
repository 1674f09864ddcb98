import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { recordsIn } from '../registry.ts';

const allObjects = (value: JsonValue | undefined): readonly JsonObject[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : undefined;

/**
 * The records of an Inspect sample: its events, or its messages if it has none. Each gets the sample's id,
 * and a copy of its kind in a member that Inspect does not use. Undefined if it is not a sample.
 */
export function recordsOfSample(sample: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (!isObject(sample)) return undefined;
  const { id = null, epoch = null, events, messages } = sample;
  const [said, heard] = [events ?? [], messages ?? []];
  if (!Array.isArray(said) || !Array.isArray(heard)) return undefined;
  return (said.length > 0 ? said : heard).map((record) => {
    if (!isObject(record)) return record;
    const { event: kind } = record;
    return { sample_id: id, epoch, ...(kind !== undefined && { event_type: kind }), ...record };
  });
}

/** Functions that return the records of a document, if it has a known form. */
const FORMS: readonly ((document: JsonObject) => readonly JsonValue[] | undefined)[] = [
  // SWE-agent: <instance>.traj
  ({ trajectory, info, environment }) =>
    info === undefined && environment === undefined ? undefined : allObjects(trajectory),
  // Inspect, written as JSON
  ({ eval: evaluation, samples }) => {
    if (!isObject(evaluation) || !Array.isArray(samples)) return undefined;
    const records = samples.map(recordsOfSample);
    const all = records.flatMap((some = []) => some);
    return all.length === 0 || records.includes(undefined) ? undefined : all;
  },
];

/** The records in a JSON document: a list, or a known form; undefined for anything else. */
export function recordsOfDocument(document: JsonValue): readonly JsonValue[] | undefined {
  const list = allObjects(document);
  if (list !== undefined) return list.flatMap((element) => recordsIn(element) ?? [element]);
  if (!isObject(document)) return undefined;
  for (const form of FORMS) {
    const records = form(document);
    if (records !== undefined) return records;
  }
  return recordsIn(document);
}
