import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openable } from '../../base/files/files.ts';
import { readWhole } from '../../base/files/open-file.ts';

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
      if (path === log || other.endsWith('.jsonl')) continue;
      if (other.includes('.doctor.json') || other.endsWith('.rejected')) continue;
      const status = openable(folder, path);
      if (typeof status === 'string' || !status.isFile() || status.size > LONGEST) continue;
      const text = readWhole(path).toString('utf8');
      const [origin = '', size = ''] = text.split('\n', 2);
      const isCheckpoint =
        /^\d+$/.test(size) && (origin === name || origin.endsWith(`/${name}`) || origin.includes(name));
      if (isCheckpoint || text.includes(sha256)) return path;
    }
  }
  return undefined;
}
