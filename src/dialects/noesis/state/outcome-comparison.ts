import { differences } from '../../../findings/projection/difference.ts';
import type { Reason } from '../../../findings/projection/left-out.ts';
import { isPausedWord } from '../event/kinds.ts';
import { canonicalStatus, sameStatus } from '../event/vocabulary.ts';
import { member, NOTHING_COMPARED, type PartAnswer } from '../part-answer.ts';
import type { Compared } from './compared.ts';
import type { NoesisEvidence } from './state-fold.ts';

/** Whether a state stores a paused run with this word: the runtime `partial`, the documents `pending`. */
const isStoredPause = (status: unknown): boolean => isPausedWord(status) || status === 'pending';

/** Whether two words mean the same outcome. */
const sameOutcome = (projected: unknown, stored: unknown): boolean =>
  projected === stored || (isPausedWord(projected) && isStoredPause(stored));

/** Whether the run ended with another outcome than the log's last state projection says, so the state is newer. */
function endedOtherwise({ persisted, ended }: Compared): boolean {
  const before = persisted?.outcome?.outcomes.status;
  if (persisted === undefined || before === undefined || typeof ended?.status !== 'string') return false;
  return persisted.source.line < ended.source.line && !sameStatus(before, ended.status);
}

/** Whether a run is paused, and its last `run.state_projection` says so. */
export const isPaused = ({ persisted, ended, hasChangedSince }: NoesisEvidence): boolean =>
  ended === undefined && !hasChangedSince && isPausedWord(persisted?.outcome?.outcomes.status);

/**
 * Whether the state has changed since the last `run.state_projection`. A run that has certainly written its last state
 * must have an event for it.
 */
const isTooOld = (sides: Compared): boolean =>
  (sides.hasChangedSince || endedOtherwise(sides)) && (sides.known !== undefined || !sides.isInLog);

/** Why outcome and links are not compared with a `run.state_projection`; undefined if they are. */
export function whyNotPersisted(sides: Compared): Reason | undefined {
  const { persisted } = sides;
  if (persisted === undefined) return { reason: 'the log has no run.state_projection' };
  const { line } = persisted.source;
  if (persisted.outcome === null) return { reason: 'the run.state_projection is malformed', line };
  return isTooOld(sides)
    ? { reason: 'the last run.state_projection is older than the state', line }
    : undefined;
}

/**
 * Compares the status with the end of the log. A state that may lag is not compared, because it may have the status of
 * the last act.
 */
function compareEnd({ ended, known, stored }: Compared): PartAnswer {
  if (typeof ended?.status !== 'string') return NOTHING_COMPARED;
  const path = ['outcomes', 'status'];
  const status = member(member(stored, 'outcomes'), 'status');
  const wanted = canonicalStatus(ended.status);
  const answer = { compared: [path], differences: [], notCompared: [] };
  if (typeof status === 'string' && sameStatus(status, wanted)) return answer;
  if (known !== undefined) return NOTHING_COMPARED;
  const difference = { path: 'outcomes.status', projected: wanted, evidence: ended.source };
  return { ...answer, differences: [status === undefined ? difference : { ...difference, stored: status }] };
}

/** Compares the outcome with the last `run.state_projection`, or the status with the end of the run. */
export function compareOutcomes(sides: Compared): PartAnswer {
  const { persisted, sources, stored } = sides;
  const projected = persisted?.outcome?.outcomes;
  if (projected === undefined || whyNotPersisted(sides)) return compareEnd(sides);
  const kept = member(stored, 'outcomes');
  const { summary, metrics } = projected;
  const status = member(kept, 'status');
  const same = sameOutcome(projected.status, status);
  return {
    compared: ['status', 'summary', 'metrics'].map((key) => ['outcomes', key]),
    differences: [
      ...differences(same ? status : projected.status, status, ['outcomes', 'status'], sources),
      ...differences(summary, member(kept, 'summary') ?? null, ['outcomes', 'summary'], sources),
      ...differences(metrics, member(kept, 'metrics') ?? {}, ['outcomes', 'metrics'], sources),
    ],
    notCompared: [],
  };
}

/** Compares the links with the last `run.state_projection`. */
export function compareLinks(sides: Compared): PartAnswer {
  const { persisted, sources, stored } = sides;
  const links = persisted?.outcome?.links;
  if (links === undefined || whyNotPersisted(sides)) return NOTHING_COMPARED;
  const kept = member(stored, 'links');
  // A state may omit empty links.
  const isEmpty = kept === undefined && Object.keys(links).length === 0;
  const found = isEmpty ? [] : differences(links, kept, ['links'], sources);
  return { compared: [['links']], differences: found, notCompared: [] };
}
