import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { TargetError, UsageError } from '../../base/errors.ts';
import { readWhole } from '../../base/files/open-file.ts';
import { isDirectory } from '../../base/files/paths.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { firstRecordOf } from '../../dialects/kit/sample.ts';
import { allDialects } from '../../dialects/registry.ts';
import { knownFolder, whyNoFolder } from '../../dialects/resume.ts';
import { joinedLoadings } from '../../dialects/sessions/kit/loading/joined.ts';
import type { Loading } from '../../dialects/sessions/kit/loading/model.ts';
import { LogFolders, surroundingsOf } from '../../dialects/sessions/kit/loading/surroundings.ts';
import type { RepairOptions } from '../../dialects/sessions/kit/repair/program.ts';
import { type RepairedCopy, unchangedCopy } from '../../dialects/sessions/kit/repaired-copy.ts';
import { whyNotLoaded, whyNotNamed } from '../../dialects/sessions/kit/resume.ts';
import { lastRefusal } from '../../read/describe/last-refusal.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { Places } from './place.ts';
import { copyOf, givesFolder, isMoved, loadOf, type Patient, planRepair, type RepairPlan } from './plan.ts';
import { type Placement, type Repairs, reportOf } from './report.ts';

/** The folder of `--cwd` in the plan of a repair that needs one, before the user names it. */
const ANY_FOLDER = 'DIR';

/** A session is read whole. */
export const MAX_BYTES = 1024 ** 3;

/** How to examine a session. */
export interface ExamineOptions extends Omit<RepairOptions, 'path'> {
  /** The version whose rules to use; by default the newest known. */
  readonly programVersion?: string | undefined;
  /** Folders in which the program keeps sessions; absent if the session is examined wherever its log and its folder are. */
  readonly homes?: readonly string[] | undefined;
  /** The further logs of the session, oldest first. */
  readonly further?: readonly string[] | undefined;
  /** Shared by examinations of one command, so that each folder is read once. */
  readonly folders?: LogFolders | undefined;
  /** Leave out the error with which the API refused the last request: it takes a second reading of the log. */
  readonly isBrief?: boolean;
}

/** A session that was examined. */
export interface Examination {
  readonly log: string;
  readonly report: DoctorReport;
  readonly patient: Patient;
  readonly places: Places;
  /** The first record. */
  readonly head: JsonObject;
  /** What the program loads of the session, in its place. */
  readonly before: Loading;
  readonly plan: RepairPlan | undefined;
  /** The account of the repair, if this is a copy that nobody has continued. */
  readonly copy: RepairedCopy | undefined;
  /** The folder that the repaired session gets, if the user named another one than that of the session. */
  readonly movedTo: string | undefined;
}

/**
 * Finds out what its program loads of a session, and plans a repair.
 *
 * @throws UsageError if the format has no known rules, or the log is too long.
 */
export async function examine(log: string, dialect: Dialect, options: ExamineOptions): Promise<Examination> {
  const { resume } = dialect;
  if (statSync(log).size === 0 && dialect.loading === undefined)
    throw new TargetError('target-missing', `${basename(log)} is empty: it has no session to examine`, {
      place: { file: log },
      hint: 'run noesis list to see the sessions of this machine',
    });
  const [rules, repair] = [await dialect.loading?.(), await dialect.repair?.()];
  const known = allDialects()
    .filter((one) => one.loading !== undefined)
    .map(({ title }) => title)
    .join(', ');
  if (rules === undefined || repair === undefined || resume === undefined)
    throw new UsageError(
      'usage',
      `doctor does not know how a program continues this log (${dialect.title})`,
      {
        place: { file: log },
        hint: `run noesis salvage to copy the intact records; doctor knows ${known}`,
      },
    );
  if (statSync(log).size > MAX_BYTES)
    throw new UsageError('usage', `${log} has more than 1 GiB, which doctor does not read`, {
      place: { file: log },
      hint: 'run noesis salvage to copy the intact records; it reads logs of any length',
    });
  const bytes = readWhole(log);
  const version = options.programVersion ?? rules.versions[0];
  const places = new Places(dialect, options.homes);
  const head = firstRecordOf(log);
  const { further = [], folders = new LogFolders() } = options;
  const isFolder = options.homes && isDirectory;
  const sessionAt = (path: string): Patient => ({
    ...{ bytes, rules, repair, version },
    surroundings: surroundingsOf(path, isFolder, folders),
  });
  const found = loadOf(sessionAt(log), bytes);
  const id = found.session ?? resume.byName?.idIn(log);
  /** Where the program would find the log if the session was of this folder; undefined if it finds it here. */
  const placeIn = (cwd: string | undefined): string | undefined =>
    places.isFound(log, cwd) || id === undefined ? undefined : places.of({ log, id, cwd, head });
  const place = placeIn(found.cwd);
  const logs = further.map((path) => ({
    name: basename(path),
    loading: loadOf(sessionAt(path), readWhole(path)),
  }));
  const inPlace = place === undefined ? found : loadOf(sessionAt(place), bytes);
  const before = joinedLoadings(inPlace, logs);
  const isFound = places.isFound(log, found.cwd);
  const why = isFound ? undefined : whyElsewhere(log, dialect, rules.program, found, before);
  const patient = sessionAt(placeIn(options.cwd ?? found.cwd) ?? log);
  const whyNotAt = (path: string) =>
    whyNotLoaded(path, dialect, rules.program, before, isFolder)?.reason ?? null;
  const placement: Placement = {
    place: place === undefined ? null : { path: place, reason: whyNotAt(place) },
    why,
    further,
  };
  const repairsFor = (cwd: string | undefined): Repairs => {
    const at = placeIn(cwd ?? found.cwd) ?? log;
    const surroundings = surroundingsOf(at, cwd === undefined ? isFolder : undefined, folders);
    const there = { ...patient, surroundings };
    const wanted = { ...options, path: log, cwd };
    const own = cwd === undefined ? inPlace : loadOf(there, bytes);
    const plan = planRepair(there, own, wanted);
    // Another branch is only taken if the user wants that.
    const isNewest = options.newest === true || own.turns.newer.length === 0;
    const newest = isNewest ? undefined : planRepair(there, own, { ...wanted, newest: true });
    return { plan, newest, movesTo: plan !== undefined && givesFolder(plan.acts) ? cwd : undefined };
  };
  const isFolderMissing =
    whyNoFolder(resume, knownFolder(resume, log, found.cwd), isFolder ?? (() => true)) !== undefined;
  const copy = unchangedCopy(log);
  const repairs = (): Repairs => {
    // A copy of the first log would lack the newest turns. One of a repaired copy would be the same again.
    if (further.length > 0 || copy !== undefined) return {};
    const isAnywhere = options.cwd === undefined && isFolderMissing;
    const own = repairsFor(isAnywhere ? ANY_FOLDER : options.cwd);
    if (own.plan !== undefined) return own;
    // The folder of the session may be what a repair lacks.
    const moved = options.cwd === undefined && before.refusal !== undefined ? repairsFor(ANY_FOLDER) : own;
    if (moved.movesTo !== undefined) return moved;
    const isMisplaced = placement.place?.reason === null;
    return isMisplaced ? { ...own, plan: copyOf(patient, before) } : own;
  };
  const repaired = repairs();
  // A session whose folder does not exist would be loaded as it is in one that does.
  const elsewhere =
    before.refusal === undefined || further.length > 0
      ? before
      : loadOf({ ...patient, surroundings: surroundingsOf(place ?? log, undefined, folders) }, bytes);
  const numbers = elsewhere.refusal === undefined ? elsewhere : before;
  const needsFolder =
    further.length === 0 &&
    (options.cwd === undefined
      ? isFolderMissing || repaired.movesTo !== undefined
      : // A repair cannot give another folder to a session that its program keeps by its project.
        isFolderMissing && repaired.plan !== undefined && repaired.movesTo === undefined);
  const report = reportOf(
    log,
    dialect,
    patient,
    { before, numbers },
    { ...repaired, needsFolder },
    { ...placement, copy, refusal: options.isBrief ? undefined : await lastRefusal(log, dialect, further) },
  );
  return {
    log,
    patient,
    places,
    head,
    before,
    copy,
    plan: repaired.plan,
    report,
    movedTo: repaired.plan !== undefined && isMoved(repaired.plan.acts) ? options.cwd : undefined,
  };
}

/** Why a program does not find a log at a path. */
function whyElsewhere(
  log: string,
  dialect: Dialect,
  program: string,
  found: Loading,
  inPlace: Loading,
): string {
  const isOfPlace = found.refusal !== undefined && inPlace.refusal === undefined;
  return (
    whyNotNamed(log, dialect, program) ??
    (isOfPlace ? found.refusal?.message : undefined) ??
    `${program} does not look for sessions in this folder`
  );
}
