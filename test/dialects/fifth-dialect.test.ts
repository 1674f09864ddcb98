import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { DIALECTS, detectDialect, dialectNamed, logFilesAmong } from '../../src/dialects/registry.ts';
import { tempDir, writeTree } from '../support/temp.ts';
import { pebble } from './support/pebble/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = fileURLToPath(new URL('support/pebble', import.meta.url));

const log = [
  { at: '2026-01-01T00:00:00Z', stone: 's1', pond: 'north', hand: 'ann' },
  { at: '2026-01-01T00:00:01Z', stone: 's2', pond: 'south', hand: 'bob', after: 's1' },
  { at: '2026-01-01T00:00:02Z', stone: 's3', pond: 'north', hand: 'ann', after: 's2' },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join('');

/** The source of the project with one folder and one entry of the registry more. */
function extended(): string {
  const dir = tempDir();
  for (const name of ['bin', 'commands', 'src', 'package.json']) {
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const source = readFileSync(join(FOLDER, 'index.ts'), 'utf8').replaceAll('../../../../src/', '../../');
  writeTree({ 'src/dialects/pebble/index.ts': source }, dir);
  const registry = join(dir, 'src/dialects/registry.ts');
  const text = readFileSync(registry, 'utf8');
  const entry = text.replace(/^export const DIALECTS.*\[/m, '$&pebble, ');
  expect(entry).not.toBe(text);
  writeFileSync(registry, `import { pebble } from './pebble/index.ts';\n${entry}`);
  return dir;
}

let bin: string;
beforeAll(async () => {
  const dir = extended();
  await build({
    absWorkingDir: dir,
    entryPoints: ['bin/noesis.ts'],
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
  bin = join(dir, 'dist/bin/noesis.js');
});

async function noesis(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], TZ: 'UTC', COLUMNS: '80', NO_COLOR: '1' };
  return (await promisify(execFile)(process.execPath, [bin, ...args], { cwd, env })).stdout;
}

test('every command reads a dialect that took one folder and one entry of the registry', async () => {
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
  expect(await noesis(cwd, 'verify', '--help')).toContain('"pebble"');
});

test('the registry finds it wherever it goes by its list', () => {
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
