import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { GOOD, rootWith, VETOED } from '../support/episodes.ts';
import { isShort } from '../support/length.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const CONSUMER = join(project, 'test/package/consumer/consumer.ts');
const TSC = join(project, 'node_modules/typescript/bin/tsc');

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const node = (args: readonly string[], cwd: string): string =>
  execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** npm, with nothing of the test run's own npm in the environment. */
function npm(args: readonly string[], cwd: string): string {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const env = Object.fromEntries(own);
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The compiler takes as long as all the rest of this file: the short form packs an empty declaration. */
const HAS_TYPES = !isShort;

/** The package as it would be published, and a project in which it is installed. */
const packed = { tarball: '', list: { filename: '', files: [] } as Packed, app: '' };

beforeAll(() => {
  const source = tempDir();
  for (const name of ['package.json', 'README.md', 'LICENSE', 'examples', 'dist'])
    cpSync(join(project, name), join(source, name), { recursive: true });
  rmSync(join(source, 'dist/types'), { recursive: true, force: true });
  if (HAS_TYPES) node(['scripts/types.mjs', join(source, 'dist/types')], project);
  else writeTree({ 'dist/types/src/library/index.d.ts': 'export {};' }, source);
  node(['scripts/run.mjs', 'scripts/make-man.ts', join(source, 'dist/man')], project);
  const [list] = JSON.parse(npm(['pack', '--ignore-scripts', '--json'], source)) as [Packed];
  packed.list = list;
  packed.tarball = join(source, list.filename);

  packed.app = tempDir();
  writeFileSync(join(packed.app, 'package.json'), '{"type":"module"}');
  const zod = join(project, 'node_modules/zod');
  npm(['install', '--offline', '--no-audit', '--no-fund', packed.tarball, zod], packed.app);
});

describe('the package', () => {
  test('contains what it needs, and is small', () => {
    const { files } = packed.list;
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'dist/LICENSES.txt',
        'dist/types/src/library/index.d.ts',
      ]),
    );
    expect(paths.filter((path) => /^(?:src|test|scripts|node_modules)\//.test(path))).toEqual([]);
    const bytes = files
      .filter(({ path }) => !path.startsWith('examples/'))
      .reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThan(3_500_000);
  });

  test('is described as publint asks', async () => {
    const { publint } = await import('publint');
    const bytes = readFileSync(packed.tarball);
    const tarball = new Uint8Array(bytes).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  test.runIf(HAS_TYPES)('has types that resolve for modules', async () => {
    const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
    const result = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)));
    const problems = 'problems' in result ? result.problems : [result];
    // An ES module is all there is: CommonJS imports it, and the resolution of Node 10 knows no `exports`.
    const ofOthers = new Set(['node10', 'node16-cjs']);
    const ours = problems.filter(
      (problem) => !('resolutionKind' in problem && ofOthers.has(problem.resolutionKind)),
    );
    expect(ours).toEqual([]);
  });

  test('names every package whose code it carries, with its licence', () => {
    const text = readFileSync(join(packed.app, 'node_modules/noesis/dist/LICENSES.txt'), 'utf8');
    for (const name of ['commander', 'zod', 'chalk', 'smol-toml'])
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(\\w+.*\\)$`, 'm'));
  });
});

describe('installed from the tarball', () => {
  test('the command line works', () => {
    const { cwd, episodes } = rootWith(GOOD);
    const noesis = join(packed.app, 'node_modules/.bin/noesis');
    const run = (...args: string[]) => node([noesis, ...args], cwd);
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(run('--version')).toBe(`${version}\n`);
    expect(JSON.parse(run('verify', '-j', '--jobs', '2'))).toMatchObject({ verdict: 'ok' });
    expect(run('events', episodes[0].id, '-j')).toBe(`${episodes[0].lines.join('\n')}\n`);
  });

  /** Compiles a program that depends on the package, against its types. */
  function compile(dir: string): void {
    symlinkSync(join(project, 'node_modules/@types'), join(dir, 'node_modules/@types'));
    copyFileSync(CONSUMER, join(dir, 'consumer.ts'));
    const compilerOptions = {
      target: 'ES2023',
      module: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      types: ['node'],
    };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    execFileSync(process.execPath, [TSC, '-p', dir], { cwd: dir, stdio: ['ignore', 'inherit', 'inherit'] });
  }

  test('a program that depends on it compiles against its types and runs', () => {
    const dir = packed.app;
    if (HAS_TYPES) compile(dir);
    else buildSync({ entryPoints: [CONSUMER], outfile: join(dir, 'consumer.js'), format: 'esm' });
    const { cwd, episodes } = rootWith(GOOD, VETOED);
    const [good] = episodes;
    const torn = tempFile(`${good.lines[0]}\n{"torn`);
    const said = node(['consumer.js', join(cwd, '.noesis'), good.id, torn], dir);
    const out = JSON.parse(said) as Record<string, unknown>;
    expect(out['phases']).toEqual(good.events.map(({ phase }) => phase));
    expect(out['told']).toContainEqual(expect.stringMatching(/^\d+ allow$/));
    expect(out['events']).toBe(good.events.length);
    expect(out).toMatchObject({
      status: 'ok',
      report: { episode: good.id, verdict: 'ok', findings: [] },
      projected: { dialect: 'noesis', state: { episode: { id: good.id } } },
      difference: { equal: true, differences: [] },
      failures: [[2, 'log/truncated'], 'target-missing', [2, 'log/truncated'], 'usage'],
    });
    expect(out['early']).not.toEqual(out['projected']);
    // Newest first.
    expect(out['episodes']).toMatchObject([{ status: 'vetoed' }, { episode: good.id, sealed: true }]);
  });

  test('its schemas use the zod of the program, and no other', () => {
    const script = `import * as z from 'zod'; import { eventSchema } from 'noesis';
      console.log(eventSchema.constructor === z.looseObject({}).constructor);`;
    expect(node(['--input-type=module', '-e', script], packed.app)).toBe('true\n');
    const copies = packed.list.files.filter(({ path }) => /(?:^|\/)zod\/|node_modules/.test(path));
    expect(copies).toEqual([]);
  });
});
