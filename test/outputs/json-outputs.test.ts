import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { jsonSchema } from '../../src/read/outputs/json-schema.ts';
import { OUTPUT_NAMES, OUTPUTS, type OutputName } from '../../src/read/outputs/names.ts';
import { outputsPage } from '../../src/show/render/outputs-page.ts';
import { damagedOf, expectedOf, SAMPLE_PROGRAMS } from '../support/doctor-samples.ts';
import { runHere, type World, within } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { targetsIn } from '../support/sampled-targets.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

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

type Value = Readonly<Record<string, unknown>>;

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
async function printed(name: OutputName, args: readonly string[], world: World = {}) {
  const { stdout } = await runHere([...args, '-j'], { cwd: resolve('.'), ...world });
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

/** Runs commands. Expects outputs of the right shape, and returns their values. */
async function wellShaped(
  name: OutputName,
  lines: readonly (readonly string[])[],
  world: World = {},
): Promise<Value[]> {
  const all = [];
  for (const args of lines) all.push(await printed(name, args, world));
  expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
  // Without a value for each command line, nothing was compared.
  expect(all.map(({ values }) => values.length > 0)).toEqual(lines.map(() => true));
  return all.flatMap(({ values }) => values.flat() as Value[]);
}

/** The names of members that have a value other than null and an empty list in any of the values. */
const filled = (values: readonly Value[]): ReadonlySet<string> =>
  new Set(
    values.flatMap((value) =>
      Object.entries(value).flatMap(([name, member]) =>
        member === null || (Array.isArray(member) && member.length === 0) ? [] : [name],
      ),
    ),
  );

/** The names of the members that the schema of an output has. */
async function membersOf(name: OutputName): Promise<string[]> {
  const { properties } = await jsonSchema(name, noesis);
  return Object.keys(Object(properties));
}

const EPISODE = 'examples/.noesis/episodes/ep_01KJQ6PSG0DGB6DN0XWB2R05AD';

const DAMAGED = ['torn-tail', 'invalid-utf8', 'glued-records', 'nul-bytes', 'bad-json'].map(
  (name) => `examples/damaged/${name}/ep_01KJPWD6M0GKJVH2GKEFTDNN55`,
);

test('each form of what project --diff -j prints has the shape of its schema', async () => {
  const values = await wellShaped('project-diff', [
    ...[
      EPISODE,
      'examples/damaged/tampered-state/ep_01KJPWD6M0GKJVH2GKEFTDNN55',
      'examples/damaged/appended-after-seal/ep_01KJPWD6M0GKJVH2GKEFTDNN55',
      'examples/legacy/ep_20251111_021915_752337_6365_s16',
      'examples/other-dialects/coordinator',
      'examples/other-dialects/exarchos',
      'test/samples/coordinator/whole-state',
      'test/samples/exarchos/demo-feature.events.jsonl',
    ].map((target) => ['project', target, '--diff']),
    ['project', EPISODE, '--diff', '--at', '12'],
  ]);
  expect([...filled(values)].sort()).toEqual((await membersOf('project-diff')).sort());
  expect(new Set(values.map(({ equal }) => equal))).toEqual(new Set([true, false]));
});

test('each form of what checkpoint -j prints has the shape of its schema', async () => {
  const cwd = tempDir();
  cpSync(EPISODE, join(cwd, 'run'), { recursive: true });
  const log = join(cwd, 'run', 'events.jsonl');
  const bytes = readFileSync(log);
  await runHere(['keygen', 'ops'], { cwd });
  const take = (...more: string[]) =>
    wellShaped('checkpoint', [['checkpoint', 'run', '--key', 'ops.key', ...more]], { cwd });
  writeFileSync(log, Buffer.concat([bytes, Buffer.from('{')]));
  const taken = [
    ...(await take('-o', 'torn', '--origin', 'example.org/run')),
    ...(await take('-o', 'other')),
  ];
  writeFileSync(log, bytes);
  taken.push(...(await take('-o', 'then')), ...(await take('-o', 'bare', '--no-leaves')));
  expect(taken.map(({ uncovered }) => uncovered)).toEqual([1, 1, 0, 0]);

  const check = (...more: string[]) =>
    wellShaped(
      'checkpoint-verify',
      ['then', 'bare'].map((file) => ['checkpoint', 'run', '--verify', file, '--trust', 'ops.pub', ...more]),
      { cwd },
    );
  const compared = [...(await check()), ...(await check('--origin', 'another'))];
  for (const changed of [
    Buffer.concat([bytes, Buffer.from('{}\n')]),
    Buffer.from(bytes.toString().replace('{', '{ ')),
    bytes.subarray(0, -1),
    bytes.subarray(0, -2),
  ]) {
    writeFileSync(log, changed);
    compared.push(...(await check()));
  }
  expect([...filled(compared)].sort()).toEqual((await membersOf('checkpoint-verify')).sort());
  expect(new Set(compared.map(({ lost }) => lost))).toEqual(new Set([undefined, 'newline', 'end']));
  expect(new Set(compared.map(({ level }) => level))).toEqual(new Set(['anchored', 'none']));
});

test('each kind of line that salvage -j prints has the shape of its schema', async () => {
  const to = tempDir();
  const notStorable = join(to, 'nan.jsonl');
  const bytes = readFileSync(join(EPISODE, 'events.jsonl'), 'utf8');
  writeFileSync(notStorable, bytes.replace('\n{', '\n{"x":NaN,'));
  const values = await wellShaped('salvage', [
    ...[...DAMAGED, EPISODE, notStorable].map((target) => ['salvage', target, '--dry-run']),
    ...DAMAGED.map((target, at) => ['salvage', target, '-o', join(to, String(at))]),
  ]);
  expect(new Set(values.map(({ kind }) => kind))).toEqual(
    new Set(['kept', 'repaired', 'lost', 'replaced', 'summary']),
  );
  const account = readFileSync(join(to, '2', 'events.jsonl.salvage'), 'utf8');
  const validate = validators.get('salvage');
  expect(valuesIn('salvage', account).every((value) => validate?.(value))).toBe(true);
});

test('what redact -j prints of runs of several dialects has the shape of its schema', async () => {
  const to = tempDir();
  const targets = [
    EPISODE,
    'examples/legacy/ep_20251111_021915_752337_6365_s16',
    'examples/other-dialects/exarchos/checkout.events.jsonl',
    'test/samples/doctor/claude/crash/cccccccc-0000-4000-8000-000000000003.jsonl',
  ];
  const values = await wellShaped('redact', [
    ...targets.map((target, at) => ['redact', target, '-o', join(to, String(at))]),
    ['redact', EPISODE, '-o', join(to, 'dropped'), '--drop', 'payload'],
  ]);
  expect([...filled(values)].sort()).toEqual((await membersOf('redact')).sort());
});

test('each form of what doctor -j prints has the shape of its schema', async () => {
  const reports: Value[] = [];
  for (const program of SAMPLE_PROGRAMS) {
    const home = tempDir();
    const damaged = damagedOf(program)
      .slice(0, 4)
      .map(({ name, bytes }) => {
        const log = join(home, name, expectedOf(program).session);
        mkdirSync(dirname(log), { recursive: true });
        writeSettled(log, bytes);
        return log;
      });
    const lines = damaged.flatMap((log) => [
      ['doctor', log],
      ['doctor', log, '--fix', '--in-place', '--force'],
    ]);
    const world = { home };
    reports.push(...(await wellShaped('doctor', lines.slice(0, 1), world)));
    for (const line of lines.slice(1)) {
      const { values, wrong } = await printed('doctor', line, world);
      expect(wrong).toEqual([]);
      reports.push(...(values as Value[]));
    }
    reports.push(...(await wellShaped('doctor', [['doctor', '--all', ...damaged]], world)));
  }
  expect(reports.some(({ written }) => written !== null)).toBe(true);
  expect(reports.some(({ after }) => after !== null)).toBe(true);
});

/** The commands whose output with -j has no schema of that command, and why. */
const WITHOUT_SCHEMA: Readonly<Record<string, string>> = {
  verify: '`report`',
  merge: '`report`',
  state: '`state`: as stored',
  tail: '`event`: as stored',
  insight: '`event`: as stored',
  append: '`event`: as stored',
  export: 'the format that its option names',
  sql: 'the columns of the query',
  schema: 'a schema, or the list of types',
  explain: 'texts for people',
  view: 'the path of the page',
  keygen: 'the paths of the keys',
  seal: 'the members of the files that it wrote',
  sign: 'the members of the files that it wrote',
  completion: 'a script',
  help: 'texts for people',
};

test('every command has a schema of what it prints with -j, or is named as an exception', async () => {
  const commands: string[] = [];
  await within({}, async (io) => {
    commands.push(...(await buildProgram(io, undefined)).commands.map((command) => command.name()));
    return 0;
  });
  const described = new Set(Object.values(OUTPUTS).map(({ command }) => command.split(' ')[0] ?? ''));
  const both = [...described, ...Object.keys(WITHOUT_SCHEMA)];
  expect(both.toSorted()).toEqual(commands.toSorted());
});

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
