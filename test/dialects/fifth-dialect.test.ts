import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { DIALECTS, detectDialect, dialectNamed, logFilesAmong } from '../../src/dialects/registry.ts';
import { within } from '../support/in-process.ts';
import { tempDir, writeSettled, writeTree } from '../support/temp.ts';
import { pebble } from './support/pebble/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = fileURLToPath(new URL('support/pebble', import.meta.url));

const TEMPLATE = join(ROOT, 'src/dialects/_template');

const lineCount = (folder: string): number =>
  readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .length;

const log = [
  { at: '2026-01-01T00:00:00Z', stone: 's1', pond: 'north', hand: 'ann' },
  { at: '2026-01-01T00:00:01Z', stone: 's2', pond: 'south', hand: 'bob', after: 's1' },
  { at: '2026-01-01T00:00:02Z', stone: 's3', pond: 'north', hand: 'ann', after: 's2' },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join('');

/** Writes an entry of a dialect into a list of dialects. */
function addEntry(dir: string, list: string, place: RegExp, entry: string, from: string): void {
  const path = join(dir, 'src/dialects', list);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(place, `$&${entry}, `);
  expect(after).not.toBe(before);
  writeFileSync(path, `import { ${entry} } from './${from}';\n${after}`);
}

/** The source of the project with two dialects more, and their entries in the registry and in the catalogue. */
function extended(): string {
  const dir = tempDir();
  for (const name of ['bin', 'commands', 'src', 'package.json']) {
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  for (const name of readdirSync(FOLDER)) {
    const source = readFileSync(join(FOLDER, name), 'utf8').replaceAll('../../../../src/', '../../');
    writeTree({ [`src/dialects/pebble/${name}`]: source }, dir);
  }
  for (const [name, folder] of [
    ['pebble', 'pebble'],
    ['template', '_template'],
  ] as const) {
    addEntry(dir, 'registry.ts', /^const BUILT_IN.* = \[/m, name, `${folder}/index.ts`);
    addEntry(dir, 'catalogue.ts', /^const PARTS.* = \[/m, name.toUpperCase(), `${folder}/catalogue.ts`);
  }
  return dir;
}

let program: Pick<typeof import('../../commands/program.ts'), 'run'>;
beforeAll(async () => {
  const dir = extended();
  await build({
    absWorkingDir: dir,
    entryPoints: ['commands/program.ts'],
    outdir: 'dist',
    outbase: '.',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  program = await import(pathToFileURL(join(dir, 'dist/commands/program.js')).href);
});

/** The output of a command line of the extended program. Checks the exit code. */
async function noesisWith(exitCode: number, cwd: string, args: readonly string[]): Promise<string> {
  const env = { TZ: 'UTC', COLUMNS: '80', NO_COLOR: '1' };
  const { code, stdout, stderr } = await within({ cwd, env }, (io) => program.run(args, io));
  expect([code, code === exitCode ? '' : stderr]).toEqual([exitCode, '']);
  return stdout;
}
const noesis = (cwd: string, ...args: string[]) => noesisWith(0, cwd, args);
/** The exit code says that there are findings. */
const failing = (cwd: string, ...args: string[]) => noesisWith(1, cwd, args);

test('every command reads a dialect of one folder and two list entries', async () => {
  const cwd = writeTree({ 'ponds/a.pebbles': log, 'ponds/a.ripples.json': '{"thrown":{}}' });
  const lines = (text: string) => text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());

  expect(lines(await noesis(cwd, 'events', 'ponds/a.pebbles', '--type', 'n*'))).toEqual([
    expect.stringMatching(/^LINE .* STONE POND$/),
    expect.stringMatching(/^1 .* s1 north$/),
    expect.stringMatching(/^3 .* s3 north$/),
    '',
  ]);
  expect(await noesis(cwd, 'events', 'ponds/a.pebbles', '--chain', 's3', '-j')).toBe(
    log.trimEnd().split('\n').reverse().join('\n').concat('\n'),
  );
  expect(await noesis(cwd, 'events', 'ponds', '--run', 'south', '-j')).toContain('"s2"');
  expect(JSON.parse(await noesis(cwd, 'verify', '-j', '.'))).toMatchObject({
    verdict: 'ok',
    episodes: [{ dialect: 'pebble', events: 3 }],
  });
  expect(JSON.parse(await noesis(cwd, 'project', 'ponds', '-j'))).toEqual({ thrown: { north: 2, south: 1 } });
  expect(await noesis(cwd, 'project', 'ponds', '--diff')).toContain('equal');
  expect(JSON.parse(await noesis(cwd, 'state', 'ponds'))).toEqual({ thrown: {} });
  expect(lines(await noesis(cwd, 'tail', '-n', '1', 'ponds'))[1]).toMatch(/ s3 north$/);
  expect(await noesis(cwd, 'list', '-q', '.')).toBe('ponds\n');
  writeTree({ odd: '{}\n' }, cwd);
  expect(await noesis(cwd, 'verify', 'odd', '--dialect', 'pebble', '-j')).toContain('"pebble"');
  expect(await noesis(cwd, 'help', 'dialects')).toContain('  pebble');
});

test('it has its own finding, artifact, filter and word', async () => {
  const stones = [
    { stone: 's1', pond: 'north', weight: 2, shape: 'flat' },
    { stone: 's2', pond: 'south', weight: 3, shape: 'round' },
    { stone: 's3', pond: 'south', weight: 1, shape: 'flat', last: true },
  ];
  const cwd = writeTree({ 'lake/ponds.json': '{\n  "dry": ["east", "north"]\n}\n' });
  writeSettled(join(cwd, 'lake/a.pebbles'), stones.map((stone) => `${JSON.stringify(stone)}\n`).join(''));

  expect(JSON.parse(await failing(cwd, 'verify', '-j', '.'))).toMatchObject({
    verdict: 'fail',
    episodes: [
      {
        dialect: 'pebble',
        findings: [
          { code: 'sequence/lighter-stone', severity: 'warn', file: 'a.pebbles', line: 3, path: 'weight' },
          { code: 'artifact/dry-pond', severity: 'error', file: 'ponds.json', line: 2, path: 'dry[1]' },
        ],
      },
    ],
  });
  const eased = ['--rule', 'artifact/dry-pond=off', '--rule', 'sequence/lighter-stone=info'];
  expect(await noesis(cwd, 'verify', ...eased, '.')).toContain('sequence/lighter-stone');
  expect(await noesis(cwd, 'explain', 'artifact/dry-pond')).toContain(
    'No pebble can have been thrown into it.',
  );

  const flat = await noesis(cwd, 'events', '.', '--stone-shape', 'flat', '-j');
  expect(flat.split('\n').filter((line) => line !== '')).toHaveLength(2);
  expect(await noesis(cwd, 'help', 'pebble')).toMatch(/--stone-shape <id> +only stones of this shape\n/);
  expect(await noesis(cwd, 'events', '--help')).toContain('noesis help pebble');

  expect(await noesis(cwd, 'list', '.')).toMatch(/^lake +settled /m);
  expect(await noesis(cwd, 'list', '-q', '--status', 'settled', '.')).toBe('lake\n');
});

test('the registry finds it everywhere', () => {
  const dialects = [...DIALECTS, pebble];
  const records = [{ stone: 's1', pond: 'north' }];
  expect(detectDialect({ fileName: '-', records }, dialects)).toBe(pebble);
  expect(detectDialect({ fileName: 'a.pebbles', records: [] }, dialects)).toBe(pebble);
  expect(detectDialect({ fileName: 'a.pebbles', records })?.name).toBe('generic');
  expect(dialectNamed('pebble', dialects)).toBe(pebble);
  expect(dialectNamed('pebble')).toBeUndefined();
  expect(logFilesAmong(['events.jsonl', 'a.pebbles', 'b.txt'], dialects)).toEqual([
    'a.pebbles',
    'events.jsonl',
  ]);
});

test('the template is a dialect that every command reads', async () => {
  const events = [
    { id: 'a', type: 'say', agent: 'ann', text: 'begin', room: 'one', step: 2 },
    { id: 'b', type: 'say', agent: 'bob', text: 'hi', parent: 'a', step: 1 },
    { id: 'b', type: 'end', room: 'one' },
  ].map((event, second) => ({ format: 'template', time: `2026-01-01T00:00:0${second}Z`, ...event }));
  const cwd = tempDir();
  writeSettled(join(cwd, 'x.template.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));

  const report = JSON.parse(await failing(cwd, 'verify', '-j', '.'));
  expect(report).toMatchObject({
    episodes: [
      {
        dialect: 'template',
        findings: [
          { code: 'order/step', severity: 'warn', line: 2, message: 'step 1 comes after step 2' },
          { code: 'event/duplicate-id', severity: 'error', line: 3 },
        ],
      },
    ],
  });
  const inRoom = await noesis(cwd, 'events', '.', '--room', 'one', '-j');
  expect(inRoom.trimEnd().split('\n')).toHaveLength(2);
  expect(await noesis(cwd, 'events', '.')).toMatch(/ say +begin\n/);
  expect(await noesis(cwd, 'events', '.', '--chain', 'b', '-j')).toContain('"text":"begin"');
  expect(await noesis(cwd, 'events', '.', '--agent', 'bob', '-j')).toContain('"text":"hi"');
  expect(await noesis(cwd, 'list', '.')).toMatch(/ finished /);
  expect(await noesis(cwd, 'tail', '-f', '.')).toMatch(/ end *\n/);
  expect(await noesis(cwd, 'explain', 'order/step')).toContain('A step comes after a later one.');
  await noesisWith(2, cwd, ['project', '.']);
  expect(lineCount(TEMPLATE)).toBeLessThan(100);
});
