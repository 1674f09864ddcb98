import * as z from 'zod';
import { CALL_STATUSES } from '../../dialects/sessions/kit/session.ts';
import type { Behaviour, LogBehaviour, PartingPoint, StepDifference } from '../compare/behaviour.ts';
import type { FieldDifference } from '../compare/content.ts';
import type { FileDifference } from '../compare/end-states.ts';
import type { ComparedLine } from '../compare/line-difference.ts';
import type { ComparedStep, RunFacts } from '../compare/run-content.ts';
import type {
  AlignedBlock,
  ChangedEvent,
  ComparedEvent,
  ComparedPart,
  ComparedRun,
  DifferenceCounts,
  PartDifference,
  RunDifference,
  StoredRest,
} from '../compare/run-difference.ts';
import {
  copied,
  cost,
  count,
  dialect,
  endingReason,
  episode,
  type Fields,
  failedCalls,
  lacks,
  line,
  milliseconds,
  skippedLines,
  stored,
  text,
  time,
} from './shapes.ts';

const fieldDifference = z
  .strictObject({
    path: text,
    a: stored.optional(),
    b: stored.optional(),
  } satisfies Fields<FieldDifference>)
  .meta({ id: 'field_difference' });
const fields = z.array(fieldDifference);

const comparedStep = z
  .strictObject({
    line,
    result_line: line.optional().describe('the line of the result of a call'),
    what: text.describe('the tool, or the title of another step'),
    text: text.describe('the arguments or the text'),
    failed: z.boolean().describe('it failed, was refused or stopped, or has no result'),
    how: z
      .enum(['refused', 'interrupted', 'no result'])
      .optional()
      .describe('why it counts as failed although it did not fail by itself'),
  } satisfies Fields<ComparedStep>)
  .meta({ id: 'compared_step' });

const skipped = skippedLines.optional().describe('damaged lines, which were not compared');

const STEPS = { a: comparedStep.optional(), b: comparedStep.optional() };

const stepDifference = z
  .strictObject({
    ...STEPS,
    fields: fields.optional().describe('if both runs have the step'),
  } satisfies Fields<StepDifference>)
  .meta({ id: 'step_difference' });
const stepDifferences = z.array(stepDifference);

const partingPoint = z
  .strictObject({
    after: count.describe('the number of steps before it'),
    after_prompts: z.literal(true).optional().describe('all of these are prompts'),
    kind: z
      .enum(['step', 'result', 'end'])
      .describe('`result`: the step is the same, its result differs; `end`: one run has no more steps'),
    ...STEPS,
    fields: fields.optional(),
  } satisfies Fields<PartingPoint>)
  .meta({ id: 'parting_point' });

const runFacts = z
  .strictObject({
    folder: text.optional().describe('the folder in which it worked'),
    models: z.array(text),
    tokens: count.optional(),
    lacks,
    cost: cost.optional(),
    worked_ms: milliseconds.optional().describe('milliseconds in which the agent worked'),
    is_work_minimum: z
      .literal(true)
      .optional()
      .describe('it may have worked longer: the log does not say how some time was spent'),
    calls: count,
    ...failedCalls,
    tests: z
      .strictObject({
        calls: count,
        ...failedCalls,
        last: z.enum(CALL_STATUSES).optional().describe('how the last of them ended'),
      } satisfies Fields<RunFacts['tests']>)
      .describe('the calls that ran tests'),
    files: count.describe('the number of files that calls changed'),
    copied,
    copied_files: count.optional().describe('the number of files that copied calls changed'),
    writers: count.optional().describe('the number of commands that may have changed files'),
  } satisfies Fields<RunFacts>)
  .meta({ id: 'run_facts' });

const fileDifference = z
  .strictObject({
    path: text,
    path_in_b: text.optional().describe('where the file is in B, if that is another folder than in A'),
    of: z
      .enum(['content', 'changes'])
      .describe('`content`: lines of the file; `changes`: lines that the runs added and removed'),
    not_whole: z
      .array(z.enum(['a', 'b']))
      .optional()
      .describe('the runs whose logs do not have the whole file that they changed'),
    lines: z.array(z.strictObject({ in: z.enum(['both', 'a', 'b']), text } satisfies Fields<ComparedLine>)),
    more: count.describe('lines that are not listed'),
  } satisfies Fields<FileDifference>)
  .meta({ id: 'file_difference' });

/** What two logs do. */
const LOG_BEHAVIOUR = {
  same: z
    .boolean()
    .describe(
      'the same models, steps, inputs, results, texts and changes of files, as far as the logs can be read',
    ),
  programs: z.enum(['one', 'two']).describe('whether two programs made the runs'),
  unit: z.enum(['call', 'step']).describe('what is compared'),
  parting: partingPoint.optional().describe('the first difference'),
  same_steps: count,
  steps: stepDifferences,
  renamed: z
    .array(z.strictObject({ a: text, b: text } satisfies Fields<LogBehaviour['renamed'][number]>))
    .describe('tools that do the same under two names'),
  results: z
    .strictObject({
      same: count,
      alike: count.describe(
        'results that differ only in ids, times, hashes, or in what two programs add to them',
      ),
      lacking: z
        .strictObject({ a: count, b: count })
        .describe('results that are compared without a part, because the log of this run lacks it'),
      differ: stepDifferences,
    } satisfies Fields<LogBehaviour['results']>)
    .describe('the results of calls that both runs made'),
  models: z
    .strictObject({ a: z.array(text), b: z.array(text) })
    .optional()
    .describe('the models that answered, if they are not the same in both logs'),
  other_model: count.describe('calls that both runs made, with another model'),
  unnamed_model: z
    .object({ a: count, b: count })
    .describe('calls that both runs made, whose model only the log of the other run names'),
  failed: z.strictObject({
    both: count,
    only: stepDifferences.describe(
      'with both sides, if a call did not end alike in both runs, such as failed in A and refused in B; `refused`, `interrupted` and `no_result` do not count those',
    ),
    refused: count.optional().describe('those that a person, a rule or a limit refused'),
    interrupted: count.optional().describe('those that were stopped'),
    no_result: count.optional().describe('those of which the log has no result'),
  } satisfies Fields<LogBehaviour['failed']>),
  files: z.strictObject({
    both: z.array(text),
    a: z.array(text),
    b: z.array(text),
    maybe: z
      .array(z.strictObject({ path: text, changed_in: z.enum(['a', 'b']) }))
      .describe('files that one run changed, and that a command of the other one may have changed'),
    differ: z.array(fileDifference).describe('the files that the runs left differently'),
  } satisfies Fields<LogBehaviour['files']>),
  same_texts: count,
  texts: stepDifferences,
  damaged: z
    .strictObject({ a: count, b: count })
    .describe('places where damaged lines are left out; what only the other run has may have been in them'),
} satisfies Fields<LogBehaviour>;

const behaviour = z
  .strictObject({
    ...LOG_BEHAVIOUR,
    facts: z
      .strictObject({ a: runFacts, b: runFacts } satisfies Fields<Behaviour['facts']>)
      .describe('with subagents and further logs'),
    tokens: z.strictObject({
      a: count.optional(),
      b: count.optional(),
    } satisfies Fields<Behaviour['tokens']>),
  } satisfies Fields<Behaviour>)
  .meta({ id: 'behaviour' });

const logBehaviour = z.strictObject(LOG_BEHAVIOUR).meta({ id: 'log_behaviour' });

const comparedRun = z
  .strictObject({
    episode,
    path: text.describe('the path of the log'),
    dialect,
    events: count.describe('the number of compared events'),
    task: text.optional(),
    status: text.optional(),
    why: z.array(endingReason).describe('why it ended; the latest reason is last'),
    started_at: time.optional(),
    duration_ms: milliseconds.optional(),
    skipped,
  } satisfies Fields<ComparedRun>)
  .meta({ id: 'compared_run' });

const comparedEvent = z
  .strictObject({
    line,
    id: text.optional(),
    name: text.describe('a type, a step or a tool'),
    phase: text.optional(),
    text,
  } satisfies Fields<ComparedEvent>)
  .meta({ id: 'compared_event' });

const eventDifference = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('changed'),
      a: comparedEvent,
      b: comparedEvent,
      fields,
    } satisfies Fields<ChangedEvent>),
    z.strictObject({ kind: z.literal('missing'), a: comparedEvent }),
    z.strictObject({ kind: z.literal('added'), b: comparedEvent }),
  ])
  .meta({ id: 'event_difference' });

const COUNTS = {
  same: count,
  changed: count,
  missing: count,
  added: count,
} satisfies Fields<DifferenceCounts>;

const block = z
  .strictObject({
    kind: z.enum(['same', 'changed', 'missing', 'added']),
    a: line.optional().describe('its first line in A'),
    b: line.optional().describe('its first line in B'),
    count,
  } satisfies Fields<AlignedBlock>)
  .meta({ id: 'block' });

const comparedPart = z
  .strictObject({
    name: text.describe('a name that commands accept as a target'),
    kind: z.enum(['subagent', 'log']).describe('`log`: a further log of the session'),
    title: text.optional(),
    status: text,
    duration_ms: milliseconds.optional(),
    skipped,
  } satisfies Fields<ComparedPart>)
  .meta({ id: 'compared_part' });

const partDifference = z
  .strictObject({
    a: comparedPart.optional(),
    b: comparedPart.optional(),
    equal: z
      .boolean()
      .describe('both runs have it, nothing that was compared differs, and no line was left out'),
    facts: z.strictObject({
      a: runFacts.optional(),
      b: runFacts.optional(),
    } satisfies Fields<PartDifference['facts']>),
    behaviour: logBehaviour.describe('of a part that only one run has, all is in that run only'),
    events: z.strictObject(COUNTS).optional().describe('if an option asks for events'),
  } satisfies Fields<PartDifference>)
  .meta({ id: 'part_difference' });

/** The output of `noesis diff -j`. */
export const difference = z.strictObject({
  equal: z.boolean().describe('nothing differs, and no line was left out'),
  a: comparedRun,
  b: comparedRun,
  counts: z.strictObject(COUNTS).describe('events; `missing`: only in A; `added`: only in B'),
  first: eventDifference.optional().describe('the first event that differs'),
  outcome: fields.describe('differences in task, status and reasons'),
  state: fields.describe('differences in the states that the events give'),
  more_state: count.describe('differences in states that are not listed'),
  metrics: fields.describe('differences in counts, and in durations with `--times`'),
  stored: z
    .strictObject({
      fields: z.array(
        z.strictObject({ path: text, events: count } satisfies Fields<StoredRest['fields'][number]>),
      ),
      only: z.array(
        z.strictObject({ name: text, a: count, b: count } satisfies Fields<StoredRest['only'][number]>),
      ),
    } satisfies Fields<StoredRest>)
    .optional()
    .describe('how the stored events of two sessions differ, which does not decide `equal`'),
  behaviour: behaviour.describe('what the runs did, however it is stored'),
  parts: z.array(partDifference).optional().describe('subagents and further logs of both runs'),
  events: z.array(eventDifference).describe('the events that differ, up to `--limit`'),
  more_events: count.describe('differing events that are not listed'),
  blocks: z.array(block).describe('all events of both runs, aligned'),
} satisfies Fields<RunDifference>);
