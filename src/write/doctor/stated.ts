import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files that may state something about a log are not longer. */
const LONGEST = 1024 * 1024;

/**
 * The file next to a log, or in the folder above, that states its contents: a seal, a signature, a checkpoint or an
 * attestation. Such a log must not be changed.
 */
export function statementOf(log: string, sha256: string): string | undefined {
  const name = basename(log);
  for (const folder of [dirname(log), dirname(dirname(log))]) {
    for (const other of readdirSync(folder)) {
      const path = join(folder, other);
      const status = statSync(path, { throwIfNoEntry: false });
      if (path === log || !status?.isFile() || status.size > LONGEST || other.endsWith('.jsonl')) continue;
      if (other.includes('.doctor.json') || other.endsWith('.rejected')) continue;
      const text = readFileSync(path, 'utf8');
      const [origin = '', size = ''] = text.split('\n', 2);
      const isCheckpoint =
        /^\d+$/.test(size) && (origin === name || origin.endsWith(`/${name}`) || origin.includes(name));
      if (isCheckpoint || text.includes(sha256)) return path;
    }
  }
  return undefined;
}
