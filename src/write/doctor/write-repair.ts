import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, readSync, statSync } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { cannotWrite, errorCode, LogError, UsageError } from '../../base/errors.ts';
import { digestOf } from '../../base/files/digest.ts';
import { makeFolders } from '../../base/files/make-folders.ts';
import { openToRead, readWhole, requireRegular } from '../../base/files/open-file.ts';
import { type FileSystem, systemFiles } from '../../base/files/port.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { COPY_ID } from '../../dialects/sessions/kit/copy-name.ts';
import { deletedBeside } from '../../dialects/sessions/kit/loading/surroundings.ts';
import { madeId } from '../../dialects/sessions/kit/repair/program.ts';
import {
  backupOf,
  copyMadeFrom,
  type RepairedCopy,
  sideFileOf,
} from '../../dialects/sessions/kit/repaired-copy.ts';
import { toHaveFolder } from '../../read/describe/to-have-folder.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import type { Examination } from './examine.ts';
import { copyOf, loadOf, type RepairPlan } from './plan.ts';
import { runningSign } from './running.ts';
import { statementOf } from './stated.ts';

export interface WriteOptions {
  /** Repair the log itself; a copy of the original is made first. */
  readonly inPlace?: boolean | undefined;
  /** The folder for the copy, instead of that of the log. */
  readonly to?: string | undefined;
  readonly force?: boolean | undefined;
  readonly now: number;
  /** For tests: what renames the repaired log. */
  readonly files?: Pick<FileSystem, 'rename'> | undefined;
}

async function writeNew(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  makeFolders(dirname(path), 0o700);
  try {
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw taken(path);
    throw cannotWrite(path, error);
  }
}

const taken = (path: string): UsageError =>
  refuse(path, `${path} already exists`, 'doctor overwrites nothing: move that file away, or remove it');

/** Refuses to make a copy again, and says how the first one is continued. */
function requireNoCopy(path: string, source: string): void {
  const made = copyMadeFrom(source, path);
  if (made === undefined) return;
  const again = 'to make it again, remove it and the files that doctor wrote beside it';
  throw refuse(
    path,
    `doctor has repaired this session before, and the copy already exists: ${path}`,
    made.resume === null ? again : `${again}; continue it with`,
    made.resume ?? undefined,
  );
}

/** A file that a repair makes. */
interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode?: number;
}

/** Refuses a repair if one of its files exists, before anything is written. */
function requireFree(files: readonly NewFile[]): void {
  for (const { path } of files)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw taken(path);
}

/** Writes files, and then works on. If anything fails, no file stays. */
async function writeAll(files: readonly NewFile[], then?: () => Promise<void>): Promise<void> {
  const written: string[] = [];
  try {
    for (const { path, bytes, mode } of files) {
      await writeNew(path, bytes, mode);
      written.push(path);
    }
    await then?.();
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw error;
  }
}

function refuse(file: string, message: string, hint: string, command?: string): UsageError {
  return new UsageError('usage', message, { place: { file }, hint, command });
}

/**
 * Writes the repaired session: by default as a copy with a new id next to the original. Returns the report with what was
 * written. Nothing is overwritten, and the original is only changed with `inPlace`, after it was copied.
 *
 * @throws UsageError if there is nothing to repair, a program may be writing to the log, or something states its contents.
 */
export async function writeRepair(examined: Examination, options: WriteOptions): Promise<DoctorReport> {
  const { log, report, patient } = examined;
  const { inPlace = false, to, force = false, now, files = systemFiles } = options;
  if (report.further_logs.length > 0)
    throw refuse(
      log,
      `doctor repairs a session in one log, and this one continues in ${report.further_logs.length === 1 ? 'a further log' : `${report.further_logs.length} further logs`}`,
      'nothing was written; run noesis salvage with one of its logs to copy the intact records of that log',
    );
  if (report.part_of !== null && !report.found.is_found)
    throw refuse(
      log,
      `${report.program} does not continue the log of a subagent, only its session, ${report.part_of}`,
      `nothing was written; run noesis doctor ${plainShellWord(report.part_of)} to examine the session`,
    );
  if (examined.copy !== undefined)
    throw refuse(
      log,
      `doctor has made this log, as a copy of ${examined.copy.source.name}: it needs no repair`,
      'nothing was written; to repair the session in another way, name the original',
    );
  // A copy of a session that its program does not open would not open either.
  const isInDanger = report.danger.length > 0 && examined.before.refusal === undefined;
  const plan = examined.plan ?? (isInDanger ? copyOf(patient, examined.before) : undefined);
  // No copy opens without its folder, so none is made that looks like a repair.
  if (report.needs_folder)
    throw refuse(
      log,
      report.cwd === null
        ? 'the folder of the session is not known'
        : `the folder of the session does not exist: ${report.cwd}`,
      `nothing was written; ${toHaveFolder(report)}`,
    );
  if (plan === undefined || (inPlace && plan.isCopy))
    throw refuse(
      log,
      `no repair makes ${report.program} load more of ${log}`,
      'nothing was written; see what is lost, and how the session continues without it, with',
      `noesis doctor ${plainShellWord(log)}`,
    );
  const sign = force ? undefined : runningSign(log, now);
  if (sign !== undefined)
    throw refuse(
      log,
      `${report.program} may be running: ${sign}`,
      'end it first, or repair anyway with --force',
    );
  const source = digestOf(patient.bytes);
  const statement = inPlace ? statementOf(log, source.sha256) : undefined;
  if (statement !== undefined)
    throw refuse(
      log,
      `${statement} states the contents of this log, so it must not change`,
      'leave out --in-place to make a copy',
    );
  return inPlace
    ? writeInPlace(examined, plan, source.sha256, files)
    : writeCopy(examined, plan, source.sha256, to);
}

/** Where a copy goes: to the folder that the user named, else next to the log, else where the program finds it. */
function pathOfCopy(
  { log, head, patient, places, movedTo }: Examination,
  { after }: RepairPlan,
  id: string,
  to: string | undefined,
): string {
  const cwd = movedTo ?? after.cwd;
  const near = patient.repair.pathFor(log, id);
  const own =
    movedTo === undefined && places.isFound(near, cwd) ? near : (places.of({ log, id, cwd, head }) ?? near);
  if (to === undefined) return own;
  const isFolder = dirname(near) !== dirname(log);
  return join(to, ...(isFolder ? [basename(dirname(own))] : []), basename(own));
}

async function writeCopy(
  examined: Examination,
  plan: RepairPlan,
  sha256: string,
  to: string | undefined,
): Promise<DoctorReport> {
  const { log, patient } = examined;
  const id = `${COPY_ID}${madeId('noesis doctor copy', sha256).slice(COPY_ID.length)}`;
  patient.repair.rename(plan.log, id);
  const path = pathOfCopy(examined, plan, id, to);
  requireNoCopy(path, sha256);
  const along = (patient.repair.along?.(log, id) ?? []).map(({ name, text }) => ({
    path: join(dirname(path), name),
    bytes: Buffer.from(text),
  }));
  const beside = along.map((file) => file.path);
  const { report, files } = sideFiles(examined, plan, { path, id, sha256, backup: null, along: beside });
  // The log comes last: a copy always has its account.
  const all = [...along, ...files, { path, bytes: plan.log.bytes() }];
  requireFree(all);
  await writeAll(all);
  return report;
}

async function writeInPlace(
  examined: Examination,
  plan: RepairPlan,
  sha256: string,
  system: Pick<FileSystem, 'rename'>,
): Promise<DoctorReport> {
  const { log, report } = examined;
  const backup = backupOf(log, sha256);
  const done = sideFiles(examined, plan, { path: log, id: report.session, sha256, backup, along: [] });
  requireFree(done.files);
  try {
    await copyFile(log, backup, constants.COPYFILE_EXCL);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw cannotWrite(backup, error);
  }
  // A symlink may lead to the log itself, which is replaced.
  requireRegular(backup);
  if (digestOf(readWhole(backup)).sha256 !== sha256) throw changed(log, 'end the program that writes to it');
  const original = openToRead(log);
  try {
    // Readers see the old or the new log, also after a power failure.
    const temporary = `${log}.${randomBytes(4).toString('hex')}.tmp`;
    const repaired = { path: temporary, bytes: plan.log.bytes(), mode: statSync(log).mode & 0o777 };
    await writeAll([...done.files, repaired], async () => {
      if (!isSameFile(original, log) || digestOf(wholeOf(original)).sha256 !== sha256)
        throw changed(log, 'end the program that writes to it');
      await system.rename(temporary, log);
    });
    await keepLate(log, original, sha256);
  } finally {
    closeSync(original);
  }
  return done.report;
}

const changed = (log: string, hint: string): LogError =>
  new LogError('log-changed', `${log} was changed while it was repaired`, { place: { file: log }, hint });

/** Whether an open file is still the one at a path. */
function isSameFile(file: number, path: string): boolean {
  const [here, there] = [fstatSync(file), statSync(path, { throwIfNoEntry: false })];
  return here.ino === there?.ino && here.dev === there.dev;
}

/** A program may have written to the log until the moment it was replaced. That is kept in another backup. */
async function keepLate(log: string, original: number, sha256: string): Promise<void> {
  const bytes = wholeOf(original);
  const late = digestOf(bytes).sha256;
  if (late === sha256) return;
  const backup = backupOf(log, late);
  await writeNew(backup, bytes);
  throw changed(log, `end the program that writes to it; ${backup} has everything that it wrote`);
}

/** All bytes of an open file, which may have been read before. */
function wholeOf(file: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(file).size);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
}

interface RepairedLog {
  readonly path: string;
  readonly id: string;
  readonly sha256: string;
  readonly backup: string | null;
  /** The files that belong to it. */
  readonly along: readonly string[];
}

/** The account of a repair and the bytes that it left out, as files to be written, and the report that names them. */
function sideFiles(
  { log, report, patient, places, head, before, movedTo }: Examination,
  plan: RepairPlan,
  { path, id, sha256, backup, along }: RepairedLog,
): { readonly report: DoctorReport; readonly files: readonly NewFile[] } {
  const isHidden = patient.repair.hidesSideFiles === true;
  const bytes = plan.log.bytes();
  const now = loadOf({ ...patient, surroundings: { ...patient.surroundings, path } }, bytes);
  const after = { ...now, of: Math.max(now.of, plan.after.of) };
  const pieces: Buffer[] = [];
  let at = 0;
  const rejected = plan.log.rejected.map(({ line, start, end, why }) => {
    const piece = patient.bytes.subarray(start, end);
    pieces.push(piece, Buffer.from('\n'));
    const place = {
      line,
      byte_start: start,
      byte_end: end,
      why,
      rejected_start: at,
      rejected_end: at + piece.length,
    };
    at += piece.length + 1;
    return place;
  });
  const copy = { log: path, id, cwd: movedTo ?? now.cwd, head: plan.log.records[0]?.value ?? head };
  const resumed =
    places.command(copy) ?? places.moveAndContinue(copy, along, patient.repair.pathFor(log, id));
  const resume = resumed?.command ?? null;
  const numbers = ({ loaded, of, refused }: typeof after) => ({
    parts: loaded.length,
    of,
    refused: refused.length,
  });
  const { sha256: hash, size } = digestOf(bytes);
  const account: RepairedCopy = {
    schema: 'noesis.doctor-copy/1',
    program: report.program,
    rules: report.rules,
    source: { name: basename(log), sha256, bytes: patient.bytes.length },
    copy: { session: id, sha256: hash, bytes: size },
    acts: plan.acts.map(({ rule, line, message, guess }) => ({
      rule,
      line,
      message,
      ...(guess && { guess }),
    })),
    rejected,
    before: numbers(before),
    after: numbers(after),
    resume,
  };
  const [rejectedPath, doctor] = [
    sideFileOf(path, 'rejected', isHidden),
    sideFileOf(path, 'doctor.json', isHidden),
  ];
  const files = [
    ...(rejected.length > 0 ? [{ path: rejectedPath, bytes: Buffer.concat(pieces) }] : []),
    { path: doctor, bytes: Buffer.from(`${JSON.stringify(account, null, 2)}\n`) },
  ];
  const plain = after.refused.map(({ line, message }) => ({ line, message }));
  // The repaired log is not written yet. In place, it has the name of the original.
  const deletes = deletedBeside(path, after);
  const written: DoctorReport = {
    ...report,
    deletes: backup === null ? [...new Set([...report.deletes, ...deletes])] : deletes,
    after: {
      loads: { parts: after.loaded.length, of: after.of, records: after.records },
      refused: plain,
      danger: [...after.danger],
    },
    written: {
      log: path,
      session: id,
      doctor,
      rejected: rejected.length > 0 ? rejectedPath : null,
      backup,
      resume,
      missing_folder: resumed?.missing ?? null,
      is_folder_unknown: resumed?.isFolderUnknown === true,
    },
  };
  return { report: written, files };
}
