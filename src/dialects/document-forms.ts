import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { recordsIn } from './registry.ts';

/** Documents of programs that keep a run in one, by the list that holds its steps. */
const FORMS: readonly { readonly list: string; readonly fits: (document: JsonObject) => boolean }[] = [
  // SWE-agent: <instance>.traj
  { list: 'trajectory', fits: ({ info, environment }) => info !== undefined || environment !== undefined },
  // Agent Trajectory Interchange Format
  {
    list: 'steps',
    fits: ({ schema_version: version }) => typeof version === 'string' && version.startsWith('ATIF-'),
  },
];

const allObjects = (value: JsonValue | undefined): readonly JsonObject[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : undefined;

/** The records that one JSON document holds: a list of them, or a document of a known form; undefined for any other. */
export function recordsOfDocument(document: JsonValue): readonly JsonObject[] | undefined {
  const list = allObjects(document);
  if (list !== undefined) return list.flatMap((element) => recordsIn(element) ?? [element]);
  if (!isObject(document)) return undefined;
  const form = FORMS.find(({ fits, list }) => Array.isArray(document[list]) && fits(document));
  return form === undefined ? recordsIn(document) : allObjects(document[form.list]);
}
