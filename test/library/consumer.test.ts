import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { GOOD, rootWith, VETOED } from '../support/episodes.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(project, 'node_modules/typescript/bin/tsc');

/** A directory in which the built package is installed, with its declarations. */
function installed(): string {
  const dir = tempDir();
  const own = join(dir, 'node_modules/noesis');
  mkdirSync(join(own, 'dist'), { recursive: true });
  copyFileSync(join(project, 'package.json'), join(own, 'package.json'));
  for (const name of readdirSync(join(project, 'dist')))
    if (name !== 'types') symlinkSync(join(project, 'dist', name), join(own, 'dist', name));
  const types = ['-p', join(project, 'tsconfig.build.json'), '--outDir', join(own, 'dist/types')];
  execFileSync(process.execPath, [TSC, ...types], { cwd: project });
  for (const name of ['zod', '@types'])
    symlinkSync(join(project, 'node_modules', name), join(dir, 'node_modules', name));
  return dir;
}

test('a program that depends on the package compiles against its types and runs', () => {
  const dir = installed();
  copyFileSync(join(project, 'test/library/consumer/consumer.ts'), join(dir, 'consumer.ts'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
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

  const { cwd, episodes } = rootWith(GOOD, VETOED);
  const [good] = episodes;
  const torn = tempFile(`${good.lines[0]}\n{"torn`);
  const said = execFileSync(process.execPath, ['consumer.js', join(cwd, '.noesis'), good.id, torn], {
    cwd: dir,
    encoding: 'utf8',
  });
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
}, 120_000);
