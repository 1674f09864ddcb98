import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Output } from '../../read/outputs/names.ts';

/** An output, and its JSON Schema. */
export interface DescribedOutput extends Output {
  readonly name: string;
  readonly schema: JsonObject;
}

const WHAT: Readonly<Record<Output['form'], string>> = {
  document: 'prints an object.',
  list: 'prints a list. Each element has these fields:',
  'one or list': 'prints an object for one named session, and a list of them otherwise.',
  lines: 'prints an object per line.',
};

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

const ticked = (value: JsonValue): string =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The kind of values that a schema takes. */
function kindOf(schema: JsonObject): string {
  const { $ref, items, enum: choices, const: only, additionalProperties, prefixItems, type } = schema;
  const kinds = objectsIn(schema['anyOf'] ?? schema['oneOf']);
  if (typeof $ref === 'string') return `[${nameIn($ref)}](#${nameIn($ref)})`;
  if (only !== undefined) return ticked(only);
  if (Array.isArray(choices)) return choices.map(ticked).join(', ');
  if (kinds.length > 0) return kinds.map(kindOf).join(' or ');
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (prefixItems !== undefined) return `pair of ${objectsIn(prefixItems).map(kindOf).join(' and ')}`;
  if (isObject(items)) return `list of ${kindOf(items)}`;
  if (isObject(additionalProperties)) return `object of ${kindOf(additionalProperties)}`;
  return type === 'integer' ? 'number' : typeof type === 'string' ? type : 'any value';
}

/** An object that has no name, and so is described with the object around it. */
function innerOf(schema: JsonObject): readonly [path: string, object: JsonObject] | undefined {
  if (isObject(schema['properties'])) return ['', schema];
  const { items } = schema;
  const inner = isObject(items) ? innerOf(items) : undefined;
  return inner && [`[]${inner[0]}`, inner[1]];
}

function rowsOf({ properties, required }: JsonObject, before = ''): string[] {
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]): string[] => {
    if (!isObject(schema)) return [];
    const path = `${before}${name}`;
    const mark = needed.has(name) ? '' : '?';
    const row = `| \`${path}\`${mark} | ${kindOf(schema)} | ${textOf(schema['description'])} |`;
    const inner = innerOf(schema);
    return inner === undefined ? [row] : [row, ...rowsOf(inner[1], `${path}${inner[0]}.`)];
  });
}

const tableOf = (schema: JsonObject): string =>
  ['| field | value | |', '|---|---|---|', ...rowsOf(schema)].join('\n');

/** What a schema describes, as tables. */
function bodyOf(schema: JsonObject): string {
  if (isObject(schema['properties'])) return tableOf(schema);
  if (isObject(schema['items']) && isObject(schema['items']['properties'])) return tableOf(schema['items']);
  const kinds = objectsIn(schema['anyOf'] ?? schema['oneOf']);
  if (kinds.some(({ properties }) => isObject(properties))) return kinds.map(tableOf).join('\n\nor\n\n');
  return `One of: ${kindOf(isObject(schema['items']) ? schema['items'] : schema)}.`;
}

/** docs/json.md. */
export function outputsPage(outputs: readonly DescribedOutput[]): string {
  const shared = new Map(
    outputs.flatMap(({ schema }) => Object.entries(isObject(schema['$defs']) ? schema['$defs'] : {})),
  );
  const sections = outputs.map(
    ({ name, command, form, schema }) =>
      `## ${name}\n\n\`noesis ${command}\` ${WHAT[form]}\n\n${bodyOf(schema)}\n`,
  );
  const parts = [...shared]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, schema]) => (isObject(schema) ? [`### ${name}\n\n${bodyOf(schema)}\n`] : []));
  return [
    '# JSON output\n',
    'With `-j` a command prints JSON for programs. This page lists the fields of the outputs that are most often read by',
    'programs. `scripts/make-docs.ts` makes it from the schemas with which the outputs are tested; `noesis schema NAME` prints',
    'each as a JSON Schema, which describes exactly what this version prints. `events -j` and `state -j` print events and',
    'states as they are stored, so `noesis schema event` and `noesis schema state` describe them. `noesis schema report`',
    'describes the report of `verify -j`, and [another page](reports.md) explains it.\n',
    '- Names are in snake_case. Values that a log or a state stores keep the names that they have there.',
    '- A field with `?` may be missing. A missing value is left out. It is `null` only where the table says so.',
    '- Texts from logs are not escaped: escape them before you print them in a terminal.',
    '- With `-j`, an error is one JSON object on standard error. Exit codes are the same as without it.\n',
    '**Which fields are stable?** The outputs of `verify` and `read` name their schema (`noesis.verify/1`, `noesis.read/1`).',
    'Under one name, fields are added, and no field is removed, renamed or given another meaning. The other outputs on this',
    'page have no such name yet: their fields may change before version 1.0, and [CHANGELOG.md](../CHANGELOG.md) lists each',
    'change. Outputs that are not on this page may change at any time. In all of them, ignore fields that you do not know.\n',
    ...sections,
    '## Shared values\n',
    ...parts,
  ].join('\n');
}
