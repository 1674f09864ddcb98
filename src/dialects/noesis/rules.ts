import type { Row } from '../../log/row.ts';
import { type Doubt, doubtsOf, merged, type Rule, Rules } from '../kit/rules.ts';
import { LIFECYCLE_RULES } from './checkpoint/lifecycle.ts';
import { EPISODE_RULES } from './course/episode-id.ts';
import { ORDER_RULES } from './course/order.ts';
import { envelopeDoubts } from './event/envelope.ts';
import { PROJECTION_RULES, payloadDoubts } from './event/payload-doubts.ts';
import { REPEATED_VALUE_RULES } from './event/repeated-values.ts';
import { PHASE } from './event/rows.ts';
import { TIME_RULES } from './event/time.ts';
import { PHASES } from './event/vocabulary.ts';
import { CANDIDATE_RULES } from './governance/candidates.ts';
import { CONTENT_ID_RULES } from './governance/content-ids.ts';
import { ENFORCEMENT_RULES } from './governance/enforcement.ts';
import { VETO_RULES } from './governance/veto-answer.ts';
import { CAUSE_RULES } from './lineage/causes.ts';
import { REFERENCE_RULES } from './lineage/references.ts';
import type { RunSoFar } from './run-so-far.ts';

const { every: times, ...timesByPhase } = TIME_RULES;
const { every: episode, ...episodeByPhase } = EPISODE_RULES;
const { every: order, ...orderByPhase } = ORDER_RULES;
const { every: references, ...referencesByPhase } = REFERENCE_RULES;

/**
 * The rules of a log. `verify` reports what they find, and `append` refuses an event because of it. The keys are phases;
 * `runtime` has the rules for runtime events that do not end the run, `run` those for types such as `run.resume`, and
 * `end` those for each event that ends the run.
 */
const {
  runtime = {},
  run = {},
  end = {},
  terminate,
  ...phases
} = merged<Row, RunSoFar>(
  timesByPhase,
  episodeByPhase,
  REPEATED_VALUE_RULES,
  referencesByPhase,
  orderByPhase,
  PROJECTION_RULES,
  LIFECYCLE_RULES,
  VETO_RULES,
  CANDIDATE_RULES,
  ENFORCEMENT_RULES,
  CONTENT_ID_RULES,
);

export const RULES = new Rules<Row, RunSoFar>({
  every: { ...times, ...episode, ...CAUSE_RULES, ...references, ...order },
  of: {
    ...phases,
    terminate: { ...terminate, ...end },
    runtime,
    run: { ...runtime, ...run },
    'runtime end': end,
    'run end': { ...run, ...end },
  },
});

/** By the number of a phase. The last are for unknown phases. */
const BY_TYPE = [...PHASES, ''].map((phase) => RULES.of(phase));
const OF_RUN = RULES.of('run');
const ENDS = [RULES.of('runtime end'), RULES.of('run end')] as const;

function rulesFor({ type }: Row, { isEnd, isOfRun }: RunSoFar): readonly Rule<Row, RunSoFar>[] {
  if (isEnd && type === PHASE.runtime) return ENDS[isOfRun ? 1 : 0];
  return isOfRun ? OF_RUN : (BY_TYPE[type] ?? []);
}

/** Everything that is wrong with the next event of a log, except what its schema says. */
export const ruleDoubts = (row: Row, run: RunSoFar): readonly Doubt[] =>
  doubtsOf(rulesFor(row, run.read(row)), row, run);

/** Everything that the schema of an event says is wrong with it. The tables of the layout follow from the schema. */
export const schemaDoubts = ({ event }: Row): readonly Doubt[] => [
  ...envelopeDoubts(event),
  ...payloadDoubts(event),
];
