import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { TargetError, UsageError } from '../../base/errors.ts';
import { readWhole } from '../../base/files/open-file.ts';
import { isDirectory } from '../../base/files/paths.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { firstRecordOf } from '../../dialects/kit/sample.ts';
import { allDialects } from '../../dialects/registry.ts';
import { partOfSession, whyNoFolder } from '../../dialects/resume.ts';
import { joinedLoadings } from '../../dialects/sessions/kit/loading/joined.ts';
import type { Loading, LoadingRemark, Surroundings } from '../../dialects/sessions/kit/loading/model.ts';
import {
  deletedBeside,
  LogFolders,
  surroundingsOf,
} from '../../dialects/sessions/kit/loading/surroundings.ts';
import { isSince } from '../../dialects/sessions/kit/loading/versions.ts';
import type { RepairOptions } from '../../dialects/sessions/kit/repair/program.ts';
import type { RepairRule } from '../../dialects/sessions/kit/repair/repair-log.ts';
import { type RepairedCopy, unchangedCopy } from '../../dialects/sessions/kit/repaired-copy.ts';
import { whyNotLoaded, whyNotNamed } from '../../dialects/sessions/kit/resume.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { partsInDamagedLines, promptsWith } from './damaged-lines.ts';
import { Places } from './place.ts';
import { copyOf, loadOf, type Patient, planRepair, type RepairPlan } from './plan.ts';

/** The folder of `--cwd` in the plan of a repair that needs one, before the user names it. */
const ANY_FOLDER = 'DIR';

/** The steps of a repair that give a session the folder of `--cwd`. */
const MOVES: ReadonlySet<RepairRule> = new Set(['moved', 'head']);

/** A session is read whole. */
const MAX_BYTES = 1024 ** 3;

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
    const wanted = { ...options, path: log, cwd };
    const own = cwd === undefined ? inPlace : loadOf({ ...patient, surroundings }, bytes);
    const plan = planRepair({ ...patient, surroundings }, own, wanted);
    // Another branch is only taken if the user wants that.
    const isNewest = options.newest === true || own.turns.newer.length === 0;
    const newest = isNewest
      ? undefined
      : planRepair({ ...patient, surroundings }, own, { ...wanted, newest: true });
    return { plan, newest, movesTo: plan?.acts.some(({ rule }) => MOVES.has(rule)) ? cwd : undefined };
  };
  const isFolderMissing =
    whyNoFolder(resume, found.cwd ?? resume.folderOf?.(log), isFolder ?? (() => true)) !== undefined;
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
    further.length === 0 && options.cwd === undefined && (isFolderMissing || repaired.movesTo !== undefined);
  const report = reportOf(
    log,
    dialect,
    patient,
    { before, numbers },
    { ...repaired, needsFolder },
    { ...placement, copy },
  );
  const isMoved = repaired.plan?.acts.some(({ rule }) => rule === 'moved');
  return {
    log,
    patient,
    places,
    head,
    before,
    copy,
    plan: repaired.plan,
    report,
    movedTo: isMoved ? options.cwd : undefined,
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

/** Where a session should be, and why it is not found where it is. */
interface Placement {
  readonly place: DoctorReport['place'];
  readonly why: string | undefined;
  readonly further: readonly string[];
}

const plain = ({ line, message }: LoadingRemark): LoadingRemark => ({ line, message });

const loadsOf = ({ loaded, of, records }: Loading) => ({ parts: loaded.length, of, records });

/** Whether the program opens the session, and under which id if that is not its own. */
function foundOf(
  log: string,
  dialect: Dialect,
  program: string,
  loading: Loading,
  { isFolder }: Surroundings,
): DoctorReport['found'] {
  const why = whyNotLoaded(log, dialect, program, loading, isFolder);
  if (why !== undefined) return { is_found: false, ...why };
  const { session } = loading;
  const inName = dialect.resume?.byName?.idIn(log);
  const isOwn = inName === undefined || session?.toLowerCase().startsWith(inName.toLowerCase()) !== false;
  return {
    is_found: true,
    reason: isOwn ? null : `the name of its file has another id, under which it is found: ${inName}`,
    line: null,
  };
}

const afterOf = ({ after }: RepairPlan) => ({
  loads: loadsOf(after),
  refused: after.refused.map(plain),
  danger: [...after.danger],
});

/** How a session can be repaired. */
interface Repairs {
  readonly plan?: RepairPlan | undefined;
  /** The repair that continues from the newest turn. */
  readonly newest?: RepairPlan | undefined;
  /** The folder in which the repaired session runs, if that is another one. */
  readonly movesTo?: string | undefined;
}

function reportOf(
  log: string,
  dialect: Dialect,
  { rules, surroundings }: Patient,
  { before, numbers }: { readonly before: Loading; readonly numbers: Loading },
  { plan, newest, movesTo, needsFolder }: Repairs & { readonly needsFolder: boolean },
  { place, why, further, copy }: Placement & { readonly copy: RepairedCopy | undefined },
): DoctorReport {
  const { version = null, leaf, leafNamedBy, lost } = numbers;
  const part = partOfSession(dialect, log);
  const inDamaged = plan === undefined ? [] : partsInDamagedLines(plan, numbers);
  const allLost = [...lost, ...inDamaged];
  return {
    schema: 'noesis.doctor/1',
    dialect: dialect.name,
    program: rules.program,
    session: before.session ?? dialect.nameOf?.(log) ?? basename(log),
    log,
    part_of: part?.session ?? null,
    is_further_log: part?.isFurther ?? false,
    part_title: part?.title ?? null,
    copy_of: copy?.source.name ?? null,
    further_logs: [...further],
    cwd: before.cwd ?? dialect.resume?.folderOf?.(log) ?? null,
    version,
    rules: before.rules,
    is_newer: version !== null && !isSince(rules.versions[0], version),
    found:
      why === undefined
        ? foundOf(log, dialect, rules.program, before, surroundings)
        : { is_found: false, reason: why, line: null },
    place,
    leaf: leaf === undefined ? null : { line: leaf, named_by: leafNamedBy ?? null },
    loads: loadsOf(numbers),
    prompts: promptsWith(numbers, inDamaged),
    turns: {
      of: numbers.turns.of,
      loaded: [...numbers.turns.loaded],
      newer: [...numbers.turns.newer],
    },
    lost: { parts: allLost.length, calls: allLost.filter(({ kind }) => kind === 'call').length },
    cuts: numbers.cuts.map((cut) => ({
      ...plain(cut),
      parent: cut.parent ?? null,
      guess_line: cut.guess ?? null,
      is_bridged: cut.isBridged,
    })),
    skipped: numbers.skipped.map(plain),
    dropped: numbers.dropped.map(plain),
    closed: numbers.closed.map(plain),
    refused: numbers.refused.map(plain),
    branches: numbers.branches.map(({ line, parts }) => ({ line, parts })),
    danger: [...before.danger],
    deletes: deletedBeside(place?.path ?? log, before),
    repairs: (plan?.acts ?? []).map(({ rule, line, message, guess }) => ({
      rule,
      line,
      message,
      is_guess: guess === true,
    })),
    after: plan === undefined ? null : afterOf(plan),
    newest: newest?.acts.some(({ rule }) => rule === 'newest') ? afterOf(newest) : null,
    needs_folder: needsFolder,
    can_move: needsFolder && movesTo !== undefined,
    written: null,
  };
}
