import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LogError, UsageError } from '../errors.ts';
import { hashFileInTurns } from '../files/digest.ts';
import { listFiles } from '../files/files.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { Subject } from './statement.ts';

/** A file of an episode, and what tells whether it was written to since. */
export interface SubjectFile {
  readonly name: string;
  readonly path: string;
  /** Size, times and inode at the moment it was listed. */
  readonly stamp: string;
}

function stampOf(path: string): string {
  const { size, mtimeNs, ctimeNs, ino, dev } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`;
}

/** The name of what a target's files are called after. */
function filesOf({ name, dir, log }: VerifyTarget): { name: string; path: string }[] {
  if (dir === undefined) return [log].filter((path) => path !== undefined).map((path) => ({ name, path }));
  return listFiles(dir)
    .files.filter(({ inside }) => inside)
    .map((file) => ({ name: `${name}/${file.name}`, path: join(dir, file.name) }));
}

/** What lies in the folders of targets and is hashed by nobody: links that lead out, pipes, devices. */
export function listUnhashed(targets: readonly VerifyTarget[]): string[] {
  return targets.flatMap(({ name, dir }) => {
    if (dir === undefined) return [];
    const { files, others } = listFiles(dir);
    const outside = files.filter(({ inside }) => !inside).map((file) => file.name);
    return [...outside, ...others].map((entry) => `${name}/${entry}`);
  });
}

/**
 * The files of targets, by the names a statement gives them. To be listed before the targets are verified.
 *
 * @throws UsageError where two targets have one name.
 */
export function listSubjects(targets: readonly VerifyTarget[]): SubjectFile[] {
  const names = new Set<string>();
  return targets.flatMap((target) => {
    if (names.has(target.name)) {
      throw new UsageError(
        'usage',
        `two targets are called ${target.name}: a statement could not tell them apart`,
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
 * The hashes of files that were listed before they were verified. What was written to meanwhile is not what the verdict
 * is about.
 *
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
