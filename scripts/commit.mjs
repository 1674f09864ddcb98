// The commit in a build. Verdicts in a cache depend on it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that a build depends on. */
const SOURCES = ['bin', 'commands', 'package-lock.json', 'package.json', 'scripts', 'src', 'wasm'];

/** The commit of a folder, with a digest of the changes if its sources have some; undefined outside of a git checkout. */
export function commitOf(folder) {
  const git = (...args) => {
    const { stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
    return stdout?.trim() ?? '';
  };
  const head = git('rev-parse', '--short=12', 'HEAD');
  if (head === '') return undefined;
  const added = git('ls-files', '--others', '--exclude-standard', '-z', '--', ...SOURCES).split('\0');
  const files = added.filter(Boolean).map((name) => [name, readFileSync(join(folder, name), 'latin1')]);
  const changes = git('diff', 'HEAD', '--binary', '--', ...SOURCES);
  if (changes === '' && files.length === 0) return head;
  const digest = createHash('sha256').update(JSON.stringify([changes, files]));
  return `${head}-dirty-${digest.digest('hex').slice(0, 12)}`;
}
