import { basename } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { knownFolder, partOfSession } from '../../dialects/resume.ts';
import type { Loading, LoadingRemark, Surroundings } from '../../dialects/sessions/kit/loading/model.ts';
import { deletedBeside } from '../../dialects/sessions/kit/loading/surroundings.ts';
import { isSince } from '../../dialects/sessions/kit/loading/versions.ts';
import type { RepairedCopy } from '../../dialects/sessions/kit/repaired-copy.ts';
import { whyNotLoaded } from '../../dialects/sessions/kit/resume.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { partsInDamagedLines, promptsWith } from './damaged-lines.ts';
import type { Patient, RepairPlan } from './plan.ts';

/** Where a session should be, and why it is not found where it is. */
export interface Placement {
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
export interface Repairs {
  readonly plan?: RepairPlan | undefined;
  /** The repair that continues from the newest turn. */
  readonly newest?: RepairPlan | undefined;
  /** The folder in which the repaired session runs, if that is another one. */
  readonly movesTo?: string | undefined;
}

/** What doctor says of a session, as data. */
export function reportOf(
  log: string,
  dialect: Dialect,
  { rules, surroundings }: Patient,
  { before, numbers }: { readonly before: Loading; readonly numbers: Loading },
  { plan, newest, movesTo, needsFolder }: Repairs & { readonly needsFolder: boolean },
  {
    place,
    why,
    further,
    copy,
    refusal,
  }: Placement & {
    readonly copy: RepairedCopy | undefined;
    /** The error with which the API refused the last request. */
    readonly refusal: LoadingRemark | undefined;
  },
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
    cwd: knownFolder(dialect.resume, log, before.cwd) ?? null,
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
    compaction: numbers.compacted ?? null,
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
    last_refusal: refusal === undefined ? null : plain(refusal),
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
