import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LogError, UsageError } from '../../base/errors.ts';
import { hashFileInTurns } from '../../base/files/digest.ts';
import { listFiles } from '../../base/files/files.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { Subject } from './statement.ts';

/** A file of an episode, with a stamp that shows whether it was written to later. */
interface SubjectFile {
  readonly name: string;
  readonly path: string;
  /** Size, times and inode when the file was listed. */
  readonly stamp: string;
}

function stampOf(path: string): string {
  const { size, mtimeNs, ctimeNs, ino, dev } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`;
}

/** The files of a target, with their names in the statement. */
function filesOf({ name, dir, log }: VerifyTarget): { name: string; path: string }[] {
  if (dir === undefined) return [log].filter((path) => path !== undefined).map((path) => ({ name, path }));
  return listFiles(dir)
    .files.filter(({ inside }) => inside)
    .map((file) => ({ name: `${name}/${file.name}`, path: join(dir, file.name) }));
}

/** Entries in target folders that are not hashed: links that lead outside, pipes, devices. */
export function listUnhashed(targets: readonly VerifyTarget[]): string[] {
  return targets.flatMap(({ name, dir }) => {
    if (dir === undefined) return [];
    const { files, others } = listFiles(dir);
    const outside = files.filter(({ inside }) => !inside).map((file) => file.name);
    return [...outside, ...others].map((entry) => `${name}/${entry}`);
  });
}

/**
 * Lists the files of targets by their names in the statement. Call it before the targets are verified.
 *
 * @throws UsageError if two targets have the same name.
 */
export function listSubjects(targets: readonly VerifyTarget[]): SubjectFile[] {
  const names = new Set<string>();
  return targets.flatMap((target) => {
    if (names.has(target.name)) {
      throw new UsageError(
        'usage',
        `two targets are called ${target.name}: a statement could not distinguish them`,
        {
          hint: 'attest them one by one',
        },
      );
    }
    names.add(target.name);
    return filesOf(target).map(({ name, path }) => ({ name, path, stamp: stampOf(path) }));
  });
}

/**
 * Hashes files that were listed before the verification. A file that changed since then is an error, because the verdict is
 * not about its new content.
 * @throws LogError `log-changed`
 */
export async function hashSubjects(files: readonly SubjectFile[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const { name, path, stamp } of files) {
    const { sha256 } = await hashFileInTurns(path);
    if (stampOf(path) !== stamp) {
      throw new LogError('log-changed', `${name} was written to while it was verified`, {
        place: { file: path },
        hint: 'attest a run that has ended',
      });
    }
    subjects.push({ name, sha256 });
  }
  return subjects;
}
