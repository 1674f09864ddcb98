import { bytesText, linesOf } from '../../dialects/sessions/kit/loading/lines.ts';
import type { Loading, LoadingRules, Part, Surroundings } from '../../dialects/sessions/kit/loading/model.ts';
import type { ProgramRepair, RepairOptions, RepairStep } from '../../dialects/sessions/kit/repair/program.ts';
import { type RepairAct, RepairLog, type RepairRule } from '../../dialects/sessions/kit/repair/repair-log.ts';
import { NOT_A_RECORD } from '../../dialects/sessions/kit/repaired-copy.ts';
import { takeRecords } from './bytes.ts';

/** A session, and how its program reads it. */
export interface Patient {
  readonly bytes: Buffer;
  readonly rules: LoadingRules;
  readonly repair: ProgramRepair;
  readonly surroundings: Surroundings;
  readonly version: string;
}

/** A repair that is worth it: more is loaded, or less is refused, and nothing that was loaded is lost. */
export interface RepairPlan {
  readonly log: RepairLog;
  readonly acts: readonly RepairAct[];
  /** What is loaded after the repair. */
  readonly after: Loading;
  /** It repairs nothing. */
  readonly isCopy?: true;
}

/** What the program loads of these bytes. */
export const loadOf = (
  { rules, surroundings, version }: Omit<Patient, 'bytes' | 'repair'>,
  bytes: Uint8Array,
): Loading => rules.load(linesOf(bytes), surroundings, version);

/** Whether the repaired session runs in another folder. */
export const isMoved = (acts: readonly { readonly rule: string }[]): boolean =>
  acts.some(({ rule }) => rule === 'moved');

/** Whether the repaired session has the folder that the user named, because it has another one or had none. */
export const givesFolder = (acts: readonly { readonly rule: string }[]): boolean =>
  isMoved(acts) || acts.some(({ rule }) => rule === 'head');

/** Parts with these rules are left out because the API refuses them, or because the program drops them. */
const MAY_LOSE: ReadonlySet<RepairRule> = new Set(['unsigned', 'orphan-result']);

/** A plan that changes nothing: to copy a session that is in danger, or not in its place. */
export function copyOf({ bytes, repair }: Pick<Patient, 'bytes' | 'repair'>, before: Loading): RepairPlan {
  const log = new RepairLog();
  takeRecords([...linesOf(bytes)], log, repair.bytes);
  return { log, acts: log.acts, after: before, isCopy: true };
}

/** Steps that may do harm, from the most to the least of them. */
const ATTEMPTS: readonly ((steps: readonly RepairStep[]) => readonly RepairStep[])[] = [
  (steps) => steps,
  () => [],
];

/**
 * Plans the repair of a session by simulating what the program loads before and after it. Undefined if no repair loads
 * more or makes the API accept more.
 */
export function planRepair(
  patient: Patient,
  before: Loading,
  options: RepairOptions,
): RepairPlan | undefined {
  let best: RepairPlan | undefined;
  for (const choose of ATTEMPTS) {
    const plan = attempt(patient, choose(patient.repair.steps), options);
    if (!isBetter(before, plan)) continue;
    if (best === undefined || isBetter(best.after, plan)) best = plan;
  }
  return best;
}

function attempt(patient: Patient, steps: readonly RepairStep[], options: RepairOptions): RepairPlan {
  const log = new RepairLog();
  takeRecords([...linesOf(patient.bytes)], log, patient.repair.bytes);
  const load = () => loadOf(patient, log.bytes());
  for (const step of steps) step({ log, options, load });
  const after = load();
  // What was torn is lost, also if its bytes are no longer in the log.
  const torn = log.rejected.filter(({ why }) => why === NOT_A_RECORD);
  const isSaid = ({ start, end }: (typeof torn)[number]) =>
    patient.rules.looksSaid(bytesText(patient.bytes.subarray(start, end)));
  const lost = torn.filter(isSaid).length;
  return { log, acts: log.acts, after: { ...after, of: after.of + lost } };
}

/** What identifies the contents of parts. */
export const keysOf = (parts: readonly Part[]): ReadonlySet<string> => new Set(parts.map(({ key }) => key));

/** Whether a repair is worth it, and loses nothing that was loaded. */
function isBetter(before: Loading, { after, log, acts }: RepairPlan): boolean {
  if (after.refusal !== undefined || after.loaded.length === 0) return false;
  const [had, has] = [keysOf(before.loaded), keysOf(after.loaded)];
  const mayLose = new Set(acts.filter(({ rule }) => MAY_LOSE.has(rule)).map(({ line }) => line));
  const leaves = new Set(log.rejected.filter(({ line }) => mayLose.has(line)).map(({ line }) => line));
  const isKept = before.loaded.every(({ key, line }) => has.has(key) || leaves.has(line));
  // The user chose another branch, which need not have the parts of this one.
  const isNewest = acts.some(({ rule }) => rule === 'newest') && after.turns.newer.length === 0;
  if (!isKept && !isNewest) return false;
  const gains = [...has].some((key) => !had.has(key)) || before.refusal !== undefined;
  const refusesLess = after.refused.length < before.refused.length;
  const isSafer = after.danger.length < before.danger.length;
  return (
    after.refused.length <= before.refused.length &&
    (gains || refusesLess || isSafer || isMoved(acts) || isNewest)
  );
}
