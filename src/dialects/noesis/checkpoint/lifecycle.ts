import type { JsonObject } from '../../../base/json/value.ts';
import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import type { Course, Stage } from '../course/course.ts';
import { COLUMN } from '../event/rows.ts';

const ENDS = ['vetoed', 'cancelled', 'error', 'failed'] as const;

/**
 * The allowed transitions between the stages of a run (noesis.md §9). A resumed run counts as running; an ended one
 * stays ended.
 */
const STEPS: Readonly<Record<Stage, readonly Stage[]>> = {
  running: ['interrupted', 'paused', 'success', ...ENDS],
  resuming: ['running', 'interrupted', 'paused', 'success', ...ENDS],
  interrupted: ['paused', 'resuming', ...ENDS],
  // The documented sequence: paused by a veto, interrupted, then a checkpoint.
  paused: ['interrupted', 'resuming', ...ENDS],
  success: [],
  failed: [],
  vetoed: [],
  cancelled: [],
  error: [],
};

type LifecycleRule = Rule<Row, { readonly course: Course; readonly event: JsonObject }>;

/** The runtime lets a run continue that interrupted itself, but not one that a veto stopped. */
const stopped: LifecycleRule = (_row, { course }) => {
  if (!course.isStopped) return undefined;
  const { stage, since, needsResume } = course;
  const severity = needsResume ? 'warn' : 'info';
  const message = `the run continued without a resume; it had been ${stage} since line ${since}`;
  return { code: 'order/lifecycle', severity, message, path: ['phase'], ifWhole: true };
};

function impossible({ stage, since }: Course, next: Stage | undefined): Doubt | undefined {
  if (next === undefined || STEPS[stage].includes(next)) return undefined;
  const from = `${stage}${since === undefined ? '' : ` since line ${since}`}`;
  const message = `a run cannot go from ${from} to ${next}`;
  return { code: 'order/lifecycle', message, path: ['payload', 'status'], ifWhole: true };
}

const WORKS = { 'a stopped run does not work': stopped };

/** The rules for the stages of a run (noesis.md §9). */
export const LIFECYCLE_RULES: Readonly<
  Record<'plan' | 'act' | 'reflect' | 'runtime' | 'run' | 'end', Readonly<Record<string, LifecycleRule>>>
> = {
  plan: WORKS,
  act: WORKS,
  reflect: WORKS,

  runtime: {
    'a run goes to a possible stage': (_row, { course, event }) =>
      impossible(course, course.nextStage(event)),
  },

  end: {
    'a run ends in a possible stage': (_row, { course, event }) =>
      impossible(course, course.stageAtEnd(event)),
  },

  run: {
    'a run continues from one of its checkpoints'(row, { course }) {
      if (row.text(COLUMN.eventType) !== 'run.resume') return undefined;
      const id = row.text(COLUMN.checkpoint);
      if (id === undefined || course.checkpoints.has(id)) return undefined;
      const message = 'the run continues from a checkpoint that no earlier event wrote';
      const path = ['payload', 'checkpoint_id'];
      return { code: 'checkpoint/unknown', message, path, actual: id, ifWhole: true };
    },
  },
};
