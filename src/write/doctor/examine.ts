import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { openable } from '../../base/files/files.ts';
import { readWhole } from '../../base/files/open-file.ts';
import { isDirectory } from '../../base/files/paths.ts';
import type { Dialect, Resume } from '../../dialects/dialect.ts';
import { allDialects } from '../../dialects/registry.ts';
import { linesOfFile } from '../../dialects/sessions/kit/loading/lines.ts';
import type {
  FileLine,
  Loading,
  LoadingRemark,
  Surroundings,
} from '../../dialects/sessions/kit/loading/model.ts';
import { isSince } from '../../dialects/sessions/kit/loading/versions.ts';
import type { RepairOptions } from '../../dialects/sessions/kit/repair/program.ts';
import { whyNotLoaded } from '../../dialects/sessions/kit/resume.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { loadOf, type Patient, planRepair, type RepairPlan } from './plan.ts';

/** A session is read whole. */
const MAX_BYTES = 1024 ** 3;

/** How to examine a session. */
export interface ExamineOptions extends Omit<RepairOptions, 'path'> {
  /** The version whose rules to use; by default the newest known. */
  readonly programVersion?: string | undefined;
  /** Folders in which the program keeps sessions: only there must the folder of a session exist. */
  readonly homes?: readonly string[] | undefined;
}

/** A session that was examined. */
export interface Examination {
  readonly log: string;
  readonly report: DoctorReport;
  readonly patient: Patient;
  readonly resume: Resume;
  readonly before: Loading;
  readonly plan: RepairPlan | undefined;
}

/** The other logs in the folder of a log. */
function siblingsOf(log: string): ReadonlyMap<string, () => Iterable<FileLine>> {
  const found = new Map<string, () => Iterable<FileLine>>();
  const folder = dirname(log);
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.jsonl') || name === basename(log)) continue;
    const path = join(folder, name);
    const status = openable(folder, path);
    if (typeof status !== 'string' && status.isFile()) found.set(name, () => linesOfFile(path));
  }
  return found;
}

/** What the rules may ask about the surroundings of a log. */
function surroundingsOf(log: string, homes: readonly string[] = []): Surroundings {
  const isAtHome = homes.some((home) => log.startsWith(join(home, '/')));
  return { path: log, siblings: siblingsOf(log), ...(isAtHome && { isFolder: isDirectory }) };
}

/**
 * Finds out what its program loads of a session, and plans a repair.
 *
 * @throws UsageError if the format has no known rules, or the log is too long.
 */
export async function examine(log: string, dialect: Dialect, options: ExamineOptions): Promise<Examination> {
  const { resume } = dialect;
  const [rules, repair] = [await dialect.loading?.(), await dialect.repair?.()];
  const known = allDialects()
    .filter((one) => one.loading !== undefined)
    .map(({ title }) => title)
    .join(', ');
  if (rules === undefined || repair === undefined || resume === undefined)
    throw new UsageError('usage', `doctor does not know how a ${dialect.title} is continued`, {
      place: { file: log },
      hint: `run noesis salvage to copy the intact records; doctor knows ${known}`,
    });
  if (statSync(log).size > MAX_BYTES)
    throw new UsageError('usage', `${log} has more than 1 GiB, which doctor does not read`, {
      place: { file: log },
      hint: 'run noesis salvage to copy the intact records; it reads logs of any length',
    });
  const bytes = readWhole(log);
  const version = options.programVersion ?? rules.versions[0];
  const patient: Patient = {
    bytes,
    rules,
    repair,
    surroundings: surroundingsOf(log, options.homes),
    version,
  };
  const before = loadOf(patient, bytes);
  const plan = planRepair(patient, before, { ...options, path: log });
  return { log, patient, resume, before, plan, report: reportOf(log, dialect, patient, before, plan) };
}

const plain = ({ line, message }: LoadingRemark): LoadingRemark => ({ line, message });

const loadsOf = ({ loaded, of, records }: Loading) => ({ parts: loaded.length, of, records });

/** Whether the program opens the session, and under which id if that is not its own. */
function foundOf(
  log: string,
  dialect: Dialect,
  loading: Loading,
  { isFolder }: Surroundings,
): DoctorReport['found'] {
  const why = whyNotLoaded(log, dialect, loading, isFolder);
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

function reportOf(
  log: string,
  dialect: Dialect,
  { rules, surroundings }: Patient,
  before: Loading,
  plan: RepairPlan | undefined,
): DoctorReport {
  const { version = null, leaf, lost } = before;
  const prompts = lost.filter(({ kind }) => kind === 'prompt').map(({ words }) => words);
  return {
    schema: 'noesis.doctor/1',
    dialect: dialect.name,
    program: rules.program,
    session: before.session ?? dialect.nameOf?.(log) ?? basename(log),
    log,
    cwd: before.cwd ?? null,
    version,
    rules: before.rules,
    is_newer: version !== null && !isSince(rules.versions[0], version),
    found: foundOf(log, dialect, before, surroundings),
    leaf: leaf === undefined ? null : { line: leaf },
    loads: loadsOf(before),
    prompts: { of: before.prompts, loaded: [...before.loadedPrompts], lost: prompts },
    turns: {
      of: before.turns.of,
      loaded: [...before.turns.loaded],
      newer: [...before.turns.newer],
    },
    lost: { parts: lost.length, calls: lost.filter(({ kind }) => kind === 'call').length },
    cuts: before.cuts.map((cut) => ({
      ...plain(cut),
      parent: cut.parent ?? null,
      guess_line: cut.guess ?? null,
      is_bridged: cut.isBridged,
    })),
    skipped: before.skipped.map(plain),
    dropped: before.dropped.map(plain),
    closed: before.closed.map(plain),
    refused: before.refused.map(plain),
    branches: before.branches.map(({ line, parts }) => ({ line, parts })),
    danger: [...before.danger],
    repairs: (plan?.acts ?? []).map(({ rule, line, message, guess }) => ({
      rule,
      line,
      message,
      is_guess: guess === true,
    })),
    after:
      plan === undefined
        ? null
        : {
            loads: loadsOf(plan.after),
            refused: plan.after.refused.map(plain),
            danger: [...plan.after.danger],
          },
    written: null,
  };
}

/** Whether everything is loaded and nothing is refused. */
export const isWell = ({ found, loads, refused, danger }: DoctorReport): boolean =>
  found.is_found && loads.parts >= loads.of && refused.length === 0 && danger.length === 0;
