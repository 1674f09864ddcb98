import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../support/cli.ts';
import { ROOT } from '../support/pages.ts';
import { tempDir } from '../support/temp.ts';

// No engine builds containers where the tests run: what its file says is done in a folder.

const FILE = readFileSync(join(ROOT, 'Containerfile'), 'utf8');
const COPIES = [...FILE.matchAll(/^COPY --from=build \/src\/(\S+) \/(\S+)$/gm)].map(
  ([, from = '', to = '']) => [from, to] as const,
);

test('the container has what its program needs, and starts it', () => {
  const folder = tempDir();
  expect(COPIES.map(([from]) => from)).toEqual(['package.json', 'dist']);
  for (const [from, to] of COPIES) cpSync(join(ROOT, from), join(folder, to), { recursive: true });
  const [, script = ''] = /^ENTRYPOINT \["\/nodejs\/bin\/node", "\/(\S+)"\]$/m.exec(FILE) ?? [];
  const [, command = ''] = /^CMD \["(\w+)"\]$/m.exec(FILE) ?? [];
  const work = join(folder, 'work');
  cpSync(join(EXAMPLES, '.noesis'), join(work, '.noesis'), { recursive: true });
  const args = [join(folder, script), command, '-j', '--jobs', '2'];
  const said = execFileSync(process.execPath, args, { cwd: work, encoding: 'utf8' });
  expect(JSON.parse(said)).toMatchObject({ verdict: 'ok' });
});

test('the container is built with scripts that are there, and does not run as root', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [, name = ''] of FILE.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty(name);
  expect(FILE).toMatch(/^FROM \S+:nonroot@sha256:\S+$/m);
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  expect(ignored).toContain('node_modules');
});
