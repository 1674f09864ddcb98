import { parsePath } from '../../../base/json/path.ts';
import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { type Difference, differences } from '../../../findings/projection/difference.ts';
import type { Evidence } from '../../../findings/projection/evidence.ts';
import { leftOut, type Reason } from '../../../findings/projection/left-out.ts';
import { type Comparison, NOT_COMPARED, type NotCompared } from '../../../findings/projection/projector.ts';
import { noArtifacts, noSynthesis } from '../workflow-types.ts';
import { partOf, partsOf, STATE_PARTS, type WorkflowFold } from './workflow.ts';

/** The program reads the clock again when it writes these into the state file. */
const CLOCKS: readonly string[] = ['createdAt', 'updatedAt'];

/** The member in which the program stores the last sequence number. */
const NOTED = '_eventSequence';

const OTHER_CLOCK = 'the program reads the clock again when it writes the file';
const DEFAULT = 'empty by default, and no event says more';
const NOTED_LATE = 'the program counts only its own events, so the number may be below the last one';
const COPY = 'a copy of earlier events, which the program may cut or update late';
const BOOKKEEPING = 'bookkeeping of the program, which no event mentions';
/** For parts that the projection knows, if no event set them. */
const NOT_MENTIONED = 'no event in the log mentions it';
const ONLY_LOGGED = 'the log has more here, which the program does not put into its file';

/** The two states of a log to compare with (see {@link WorkflowFold}). */
export interface Folds {
  readonly file: WorkflowFold;
  readonly all: WorkflowFold;
  /** The highest sequence number, and its event. */
  readonly last: { readonly sequence: number; readonly source: Evidence } | undefined;
  /** The phase of the last checkpoint, and its event. */
  readonly checkpoint: { readonly phase: string; readonly source: Evidence } | undefined;
}

/** The differences in one part, and members that cannot be compared. */
interface PartComparison {
  readonly differences: readonly Difference[];
  readonly notCompared: readonly NotCompared[];
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** A part of the state, with the defaults that the schema of the state file adds. */
function withDefaults(
  fold: WorkflowFold,
  part: string,
  stored: JsonValue | undefined,
): JsonValue | undefined {
  const value = partOf(fold.document, part);
  if (!isObject(value)) return value;
  switch (part) {
    case 'artifacts':
      return { ...noArtifacts(), ...value };
    case 'synthesis':
      return { ...noSynthesis(), ...value };
    case 'oneshot': {
      const hasRequest = isObject(stored) && Object.hasOwn(stored, 'synthesisRequested');
      return hasRequest ? { ...value, synthesisRequested: fold.synthesisRequested } : value;
    }
    default:
      return value;
  }
}

/** Why a difference is acceptable; undefined if it is not. */
function excuseFor({ path, projected, stored }: Difference, part: string): string | undefined {
  if (/^tasks\[\d+\]\.completedAt$/.test(path)) return OTHER_CLOCK;
  if (path === part) return undefined;
  if (stored === undefined) return isEmpty(projected) ? DEFAULT : undefined;
  // The program may add unknown members to keys that only patches create.
  const isOpen = !(STATE_PARTS as readonly string[]).includes(part);
  return projected === undefined && isOpen && isEmpty(stored) ? DEFAULT : undefined;
}

/** For a missing object, names the event that set its latest value. */
function withLatest(difference: Difference, { sources }: WorkflowFold): Difference {
  if (difference.stored !== undefined || typeof difference.projected !== 'object') return difference;
  const path = parsePath(difference.path);
  const evidence = path && sources.latest(path);
  return evidence === undefined ? difference : { ...difference, evidence };
}

function comparePart(fold: WorkflowFold, part: string, stored: JsonValue | undefined): PartComparison {
  const found: Difference[] = [];
  const notCompared: NotCompared[] = [];
  const evidence = fold.sources.toMap();
  for (const one of differences(withDefaults(fold, part, stored), stored, [part], evidence)) {
    const reason = excuseFor(one, part);
    if (reason === undefined) found.push(withLatest(one, fold));
    else notCompared.push({ path: one.path, reason, ...(one.evidence && { line: one.evidence.line }) });
  }
  return { differences: found, notCompared };
}

function reasonFor(path: string, { sources }: WorkflowFold): Reason {
  if (CLOCKS.includes(path)) {
    const line = sources.latest([path])?.line;
    return line === undefined ? { reason: NOT_MENTIONED } : { reason: OTHER_CLOCK, line };
  }
  if (path === NOTED) return { reason: NOTED_LATE };
  if (path === '_events') return { reason: COPY };
  if ((STATE_PARTS as readonly string[]).includes(path)) return { reason: NOT_MENTIONED };
  const isCheckpoint = path.startsWith('_checkpoint');
  return { reason: path.startsWith('_') && !isCheckpoint ? BOOKKEEPING : NOT_COMPARED.byNoesis };
}

/** The difference if the stored sequence number is higher than any in the log. */
function aheadOfLog(stored: JsonObject, { last }: Folds): Difference[] {
  const noted = stored[NOTED];
  if (last === undefined || !isNumber(noted) || Number(noted) <= last.sequence) return [];
  return [{ path: NOTED, projected: last.sequence, stored: noted, evidence: last.source }];
}

/** The phase of the last checkpoint in the state. It may also be the current phase, in which the program checks later. */
function comparedCheckpoint(stored: JsonObject, { all, checkpoint }: Folds): Difference[] {
  const own = stored['_checkpoint'];
  const phase = isObject(own) ? own['phase'] : undefined;
  if (checkpoint === undefined || typeof phase !== 'string') return [];
  const projected = phase === all.document['phase'] ? phase : checkpoint.phase;
  return [{ path: '_checkpoint.phase', projected, stored: phase, evidence: checkpoint.source }];
}

/** What the log has in addition to the changes that the program makes to its file. */
const onlyLogged = ({ path, evidence }: Difference): NotCompared => ({
  path,
  reason: ONLY_LOGGED,
  ...(evidence && { line: evidence.line }),
});

/**
 * Compares a stored state file with the log. A part may equal either of two states: the changes that the program makes
 * to its file, or those of all events.
 */
export function compareWithState(folds: Folds, stored: unknown): Comparison {
  const document = isObject(stored) ? stored : {};
  const parts = partsOf(folds.all.document).filter((part) => !CLOCKS.includes(part));
  const compared = parts.filter((part) => Object.hasOwn(folds.all.document, part));
  const results = compared.map((part) => {
    const own = Object.hasOwn(document, part) ? document[part] : undefined;
    const file = comparePart(folds.file, part, own);
    const all = comparePart(folds.all, part, own);
    // If neither is equal, the one that knows more explains more.
    if (all.differences.length <= file.differences.length) return all;
    return { ...file, notCompared: [...file.notCompared, ...all.differences.map(onlyLogged)] };
  });
  const ahead = aheadOfLog(document, folds);
  const checkpoint = comparedCheckpoint(document, folds);
  const named = [...compared, ...ahead.map(({ path }) => path), ...checkpoint.map(({ path }) => path)];
  return {
    compared: named,
    differences: [
      ...results.flatMap((result) => result.differences),
      ...ahead,
      ...checkpoint.filter(({ projected, stored: own }) => projected !== own),
    ],
    not_compared: [
      ...results.flatMap((result) => result.notCompared),
      ...leftOut(
        document,
        named.map((part) => parsePath(part) ?? [part]),
        (path) => reasonFor(path, folds.all),
      ),
    ],
    underivable: parts.filter((part) => !compared.includes(part) && Object.hasOwn(document, part)),
  };
}
