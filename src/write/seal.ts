import { basename, dirname, join } from 'node:path';
import { errorCode, FileError, LogError, NoesisError, reasonOf, UsageError } from '../base/errors.ts';
import { hashFileInTurns } from '../base/files/digest.ts';
import { listFiles } from '../base/files/files.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { SealDocument, SealedFile, Sealing, SealKey, SealPlace } from '../dialects/kit/sealing.ts';
import { DEFAULT_POLICY } from '../findings/policy.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { verifyTarget } from '../verify/verify-episode.ts';
import { acquireLock, removeLeftovers } from './lock.ts';
import { isOfLock } from './lock-file.ts';
import type { LockOptions } from './lock-wait.ts';
import { replaceFile } from './replace-file.ts';
import type { WriterSystem } from './system.ts';
import { removeIfPossible } from './system-calls.ts';
import type { LogToWrite } from './target.ts';

export interface SealOptions extends LockOptions {
  /** Seal a run even if its log does not end it, or if verification finds errors. */
  readonly force?: boolean | undefined;
  readonly key?: SealKey | undefined;
}

interface SealResult {
  /** The names of the files, in the order of writing. */
  readonly written: readonly string[];
  /** The number of files that the seal lists. */
  readonly files: number;
  readonly report: EpisodeReport;
}

const refused = (place: SealPlace, why: string, hint: string): NoesisError =>
  new LogError('seal-refused', `${place.dir} is not sealed: ${why}`, { place: { file: place.dir }, hint });

/** The place of an episode that can be sealed, and its dialect's sealing. Throws `usage`. */
async function sealable({ log, dir, dialect }: LogToWrite): Promise<{ place: SealPlace; sealing: Sealing }> {
  const sealing = await dialect.sealing?.();
  if (sealing === undefined)
    throw new UsageError('append-unsupported', `a log of this dialect (${dialect.title}) is not sealed`, {
      place: { file: log },
      hint: 'run noesis checkpoint to sign the present contents of a log of any dialect',
    });
  // The user may have named the log of an episode.
  return { place: { dir: dir ?? dirname(log), log }, sealing };
}

function look({ dir, log }: SealPlace, dialect: Dialect, key?: SealKey): Promise<EpisodeReport> {
  const options = {
    policy: DEFAULT_POLICY,
    key: (kid: string) => (kid === key?.kid ? key.key : undefined),
  };
  return verifyTarget({ dir, log, name: basename(dir) }, options, dialect.name);
}

const errorsOf = ({ findings }: EpisodeReport) => findings.filter(({ severity }) => severity === 'error');

/** Throws if an episode must not be sealed as it is. Corruption is never sealed. */
function requireSealable(place: SealPlace, report: EpisodeReport, force: boolean): void {
  // An interrupted seal is completed now, so its missing files are not an error.
  const errors = errorsOf(report).filter(({ code }) => code !== 'seal/incomplete');
  const [corrupt] = errors.filter(({ code }) => code.startsWith('log/'));
  if (corrupt) {
    /* v8 ignore next -- only a log that changes under the reader has no line */
    const line = corrupt.line === undefined ? '' : ` on line ${corrupt.line}`;
    throw refused(
      place,
      `its log is damaged${line}: ${corrupt.message}`,
      'noesis salvage copies every intact record; the copy can be sealed',
    );
  }
  const [first] = errors;
  if (first && !force) {
    const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
    throw refused(
      place,
      `verification fails with ${first.code} (${first.message})${more}`,
      'noesis verify shows the rest; --force seals it anyway',
    );
  }
}

/** Lists the files of an episode, except the list itself and the files of writers. */
async function filesToList({ dir, log }: SealPlace, listingName: string): Promise<SealedFile[]> {
  const names = listFiles(dir)
    .files.filter(({ name, inside }) => inside && name !== listingName)
    .map(({ name }) => name)
    .filter((name) => !isOfLock(name, log));
  const files: SealedFile[] = [];
  for (const name of names) files.push({ name, ...(await hashFileInTurns(join(dir, name))) });
  return files;
}

async function writeOut(
  { dir }: SealPlace,
  { name, text }: SealDocument,
  system: WriterSystem,
  written: string[],
): Promise<void> {
  // Noted first, because the file may exist even if the flush fails.
  written.push(name);
  await replaceFile(join(dir, name), Buffer.from(text), system);
}

/**
 * Removes what was written, as far as possible: an episode is sealed completely or not at all. `before` is
 * the previous list.
 */
async function takeBack(
  { dir }: SealPlace,
  written: readonly string[],
  before: { readonly name: string; readonly bytes: Buffer | undefined },
  system: WriterSystem,
): Promise<void> {
  const undo = (name: string) =>
    name === before.name && before.bytes
      ? replaceFile(join(dir, name), before.bytes, system)
      : removeIfPossible(system.files, join(dir, name));
  const steps = [...written.toReversed().map((name) => () => undo(name)), () => system.files.syncFolder(dir)];
  // A step that fails does not prevent the others.
  for (const step of steps) await step().catch(() => {});
}

function asFailure(error: unknown, { dir }: SealPlace, what: 'seal' | 'sign'): unknown {
  if (error instanceof NoesisError || errorCode(error) === undefined) return error;
  return new FileError('unwritable', `cannot ${what} ${dir} (${reasonOf(error)}): it is as it was`, {
    place: { file: dir },
    hint: `correct what the system reports, and ${what} again`,
    cause: error,
  });
}

/**
 * Seals an episode as the runtime does: completes its log, writes the closing document, and finally the list
 * of files with their hashes. Each file is written whole or not at all. Verifies before and after; if sealing
 * would make the verdict worse, the episode stays as it was.
 *
 * @throws NoesisError `seal-refused`, `log-sealed`, `log-locked`, `unwritable`, `append-unsupported`,
 * `usage`.
 */
export async function sealEpisode(
  target: LogToWrite,
  options: SealOptions,
  system: WriterSystem,
): Promise<SealResult> {
  const { place, sealing } = await sealable(target);
  const { dialect } = target;
  const { force = false, key } = options;
  const stamps = { now: system.now(), newId: system.newId };
  // Reports an unsuitable key before anything is written.
  if (key) sealing.listing(place, [], stamps, key);
  const name = sealing.listingName;
  const failed = (error: unknown): never => {
    throw asFailure(error, place, 'seal');
  };
  const listed = { name, bytes: await system.files.readFile(join(place.dir, name)).catch(failed) };
  await removeLeftovers(place.log, system);
  const lock = await acquireLock(place.log, system, options).catch(failed);
  const written: string[] = [];
  try {
    const plan = await sealing.plan(place, stamps);
    if (plan.state === 'sealed')
      throw new LogError('log-sealed', `${place.dir} is already sealed`, {
        place: { file: place.dir },
        hint: key
          ? 'run noesis sign to add a signature to a seal without one'
          : 'noesis verify checks the seal',
      });
    const before = await look(place, dialect);
    requireSealable(place, before, force);
    if (!plan.ended && !force)
      throw refused(
        place,
        'its log has no terminate event: the run is still going, is paused, or was interrupted',
        '--force seals it as an interrupted run',
      );
    for (const document of plan.documents) await writeOut(place, document, system, written);
    const files = await filesToList(place, sealing.listingName);
    await writeOut(place, sealing.listing(place, files, stamps, key), system, written);
    // Nobody writes to a sealed episode, and the seal does not list the lock file.
    await lock.release();
    const report = await look(place, dialect, key);
    const known = new Set(
      errorsOf(before).map(({ code, path, file, line }) => `${code} ${file} ${path} ${line}`),
    );
    const [worse] = errorsOf(report).filter(
      ({ code, path, file, line }) => !known.has(`${code} ${file} ${path} ${line}`),
    );
    if (worse && !force)
      throw refused(
        place,
        `after sealing it would fail with ${worse.code} (${worse.message})`,
        'noesis verify shows what is wrong now; --force seals it anyway',
      );
    return { written, files: files.length, report };
  } catch (error) {
    await takeBack(place, written, listed, system);
    throw asFailure(error, place, 'seal');
  } finally {
    await lock.release().catch(() => lock.close());
  }
}

/**
 * Signs the seal of an episode that has no signature yet. The seal must be valid.
 *
 * @throws NoesisError `seal-refused`, `log-locked`, `unwritable`, `append-unsupported`, `usage`.
 */
export async function signEpisode(
  target: LogToWrite,
  key: SealKey,
  system: WriterSystem,
): Promise<EpisodeReport> {
  const { place, sealing } = await sealable(target);
  const path = join(place.dir, sealing.listingName);
  const listing = await system.files.readFile(path);
  if (listing === undefined)
    throw refused(place, `it has no ${sealing.listingName} to sign`, 'noesis seal --key seals and signs it');
  const signed = sealing.signed(listing, key, { now: system.now(), newId: system.newId });
  const report = await look(place, target.dialect);
  const [error] = errorsOf(report);
  if (error || !report.sealed)
    throw refused(
      place,
      error ? `the seal is not valid (${error.code}: ${error.message})` : 'a manifest alone is not a seal',
      'only a valid seal can be signed: noesis verify reports what is wrong',
    );
  try {
    await replaceFile(path, Buffer.from(signed.text), system);
  } catch (failure) {
    throw asFailure(failure, place, 'sign');
  }
  return look(place, target.dialect, key);
}
