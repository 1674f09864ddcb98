import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { jsonSchema } from '../../src/read/outputs/json-schema.ts';
import { OUTPUT_NAMES, OUTPUTS, type OutputName } from '../../src/read/outputs/names.ts';
import { outputsPage } from '../../src/show/render/outputs-page.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { targetsIn } from '../support/sampled-targets.ts';

const ROOTS = ['examples', 'test/samples'];
const found = ROOTS.map((root) => targetsIn(root));
const RUNS = sampled(
  found.flatMap(({ runs }) => runs),
  40,
);
const FOLDERS = [
  ...ROOTS.slice(0, 1),
  ...sampled(
    found.flatMap(({ folders }) => folders),
    8,
  ),
];

const validators = new Map<OutputName, ValidateFunction>();

beforeAll(async () => {
  for (const name of OUTPUT_NAMES)
    validators.set(name, new Ajv2020({ strict: false }).compile(await jsonSchema(name, noesis)));
});

/** The values that a command printed: one per line, or all together as one. */
function valuesIn(name: OutputName, text: string): unknown[] {
  const parts = OUTPUTS[name].form === 'lines' ? text.split('\n') : [text];
  return parts.flatMap((part): unknown[] => (part === '' ? [] : [JSON.parse(part)]));
}

/** Runs a command. Returns the values that it printed, and what is wrong with their shapes. */
async function printed(name: OutputName, args: readonly string[]) {
  const { stdout } = await runHere([...args, '-j'], { cwd: resolve('.') });
  const values = valuesIn(name, stdout);
  const validate = validators.get(name);
  const wrong = values
    .filter((value) => !validate?.(value))
    .map(() => `${args.join(' ')}: ${JSON.stringify(validate?.errors)}`);
  return { values, wrong };
}

/** The commands about a run. */
const OF_A_RUN: readonly (readonly [OutputName, (run: string, next: string) => readonly string[]])[] = [
  ['show', (run) => ['show', run]],
  ['show-event', (run) => ['show', run, '2']],
  ['show-changes', (run) => ['show', run, '--changes']],
  ['read', (run) => ['read', run, '--all']],
  ['timeline', (run) => ['timeline', run]],
  ['timeline', (run) => ['timeline', run, '--records']],
  ['events', (run) => ['events', run, '--with-source', '--limit', '3']],
  ['diff', (run, next) => ['diff', run, next]],
];

const OF_A_FOLDER: readonly (readonly [OutputName, (folder: string) => readonly string[]])[] = [
  ['list', (folder) => ['list', folder]],
  ['search', (folder) => ['search', 'error', folder, '-C', '1', '--limit', '3']],
  ['stats', (folder) => ['stats', folder, '--partial', '--by', 'model']],
];

const CASES = [
  ...OF_A_RUN.map(([name, argsOf]) => {
    return { name, lines: RUNS.map((run, at) => argsOf(run, RUNS[at + 1] ?? run)) };
  }),
  ...OF_A_FOLDER.map(([name, argsOf]) => ({ name, lines: FOLDERS.map(argsOf) })),
];

test.each(CASES)(
  'what $name -j prints of the samples has the shape that noesis schema $name prints',
  async ({ name, lines }) => {
    const all = [];
    for (const args of lines) all.push(await printed(name, args));
    expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(all.some(({ values }) => values.length > 0)).toBe(true);
  },
  300_000,
);

test.each(OUTPUT_NAMES)('the schema %s takes no field that the output does not have', (name) => {
  const value = { other: 1 };
  expect(validators.get(name)?.(OUTPUTS[name].form === 'list' ? [value] : value)).toBe(false);
});

test('docs/json.md has the fields of the schemas', async () => {
  const outputs = [];
  for (const name of OUTPUT_NAMES)
    outputs.push({ name, ...OUTPUTS[name], schema: await jsonSchema(name, noesis) });
  expect(readFileSync('docs/json.md', 'utf8')).toBe(outputsPage(outputs));
});
