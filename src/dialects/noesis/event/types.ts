import { fieldsOf } from '../../../log/schema/fields.ts';
import type { EventTypeEntry } from '../../kit/record-view.ts';
import { rulesFor } from './payloads.ts';
import { PHASES, type Phase, RUN_EVENTS } from './vocabulary.ts';

const PHASE_MEANINGS: Readonly<Record<Phase, string>> = {
  start: 'the run began',
  observe: 'the task and its context were taken in',
  interpret: 'what the agent made of the task: its signals',
  plan: 'the steps that the agent intends to take; the last plan counts',
  direction: 'a policy changed the plan, or tried to: applied, blocked or skipped',
  governance: 'a decision whether an action may run: allow, audit or veto',
  action_candidate: 'an action that was proposed for a decision and has not run yet',
  act: 'an action ran, such as a call of a tool, or sums up such actions',
  reflect: 'the agent rated its own result',
  learn: 'what should change in later runs; the proposals may be in learn.jsonl',
  runtime: 'an event of the runtime itself, such as a pause; event_type says which',
  terminate: 'the run ended, with its status',
  insight: 'numbers with which the run was rated after its end',
  memory: 'a fact was read from the memory, or stored in it',
  intuition: 'advice before an action: a hint, an intervention or a veto',
  reason: 'a thought of the agent',
  error: 'something failed; as the last event of a log it ended the run',
};

const RUN_EVENT_MEANINGS: Readonly<Record<(typeof RUN_EVENTS)[number], string>> = {
  'run.interrupt': 'the run was interrupted, and can be resumed',
  'run.checkpoint': 'the run was saved, so that it can be resumed from there',
  'run.resume': 'the run goes on from a checkpoint',
  'run.state_projection': 'the outcome and the links that state.json should have',
};

function fieldsOfPayload(phase: string, eventType?: string): string[] {
  const { forms, fields } = rulesFor(phase, eventType) ?? {};
  const names = forms === undefined ? [] : fieldsOf(forms[0]);
  const isNamed = (name: string) => names.some((one) => one.replace('?', '') === name.replace('?', ''));
  const more = fields === undefined ? [] : fieldsOf(fields);
  return [...names, ...more.filter((name) => !isNamed(name))];
}

/** The event types: the phases, and the types of runtime events. */
export const EVENT_TYPES: readonly EventTypeEntry[] = [
  ...PHASES.map((phase) => ({
    type: phase,
    group: 'phase',
    meaning: PHASE_MEANINGS[phase],
    fields: fieldsOfPayload(phase),
  })),
  ...RUN_EVENTS.map((type) => ({
    type,
    group: 'runtime',
    meaning: RUN_EVENT_MEANINGS[type],
    fields: fieldsOfPayload('runtime', type),
  })),
];
