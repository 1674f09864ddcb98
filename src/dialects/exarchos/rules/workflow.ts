import { isObject } from '../../../base/json/value.ts';
import { named, textOf, writeJson } from '../../../base/json/write.ts';
import { textIn } from '../../kit/members.ts';
import { type Doubt, forEach, found, merged } from '../../kit/rules.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { impossibleKeys, isPath, outside } from '../projection/patch.ts';
import { END_TYPES } from '../reasons.ts';
import { dataOf, needsStart, type WorkflowEvent, type WorkflowRun } from '../run.ts';
import { FINAL_PHASES, isReserved, REQUEST_PHASES } from '../workflow-types.ts';

const NEEDS_START = [...EVENT_TYPES.keys()].filter((type) => needsStart(type) && type !== 'workflow.started');

/** Types with the feature of their workflow. */
const OF_FEATURE = [...NEEDS_START, 'workflow.started', 'synthesize.requested', 'shepherd.started'];

/** Types that leave a phase, or are logged in one, with the members that name it. */
const IN_PHASE: Readonly<Record<string, readonly string[]>> = {
  'workflow.transition': ['from'],
  'workflow.guard-failed': ['from'],
  'workflow.cancel': ['from'],
  'workflow.cleanup': ['from', 'previousPhase'],
  'workflow.checkpoint': ['phase'],
  'workflow.cas-failed': ['phase'],
};

/**
 * Types that follow a transition and belong to it, with the members that name its phases. Entries and exits of a
 * compound name the compound in the other member (exarchos.md §12.5).
 */
const OF_TRANSITION: Readonly<Record<string, readonly string[]>> = {
  'workflow.compound-entry': ['from'],
  'workflow.compound-exit': ['to'],
  'workflow.fix-cycle': ['from', 'to'],
};

/** Types that another rule doubts as a whole if they come after the end. */
const DOUBTED_AFTER_END: ReadonlySet<string> = new Set(['workflow.transition', ...END_TYPES]);

/** Types of which a second event completes the first. */
const isSecond = ({ type }: WorkflowEvent, { endType, ends }: WorkflowRun): boolean =>
  type !== 'workflow.pruned' && type === endType && ends === 1;

/** The doubt about an event after the end of a workflow. */
export function afterEnd({ type }: WorkflowEvent, { phase, phaseLine }: WorkflowRun): Doubt {
  const message = `${type} comes after the end of the workflow: it was ${phase} on line ${phaseLine}`;
  return { code: 'order/lifecycle', message, path: ['type'], ifWhole: true };
}

/** The doubt about a member that does not name the phase that it should. */
function phaseDoubt(member: string, actual: string, expected: string, message: string): Doubt {
  return { code: 'order/lifecycle', message, path: ['data', member], expected, actual, ifWhole: true };
}

const synthesisDoubt = (message: string, path: readonly string[]): Doubt => {
  return { code: 'consistency/synthesis', message, path, ifWhole: true };
};

/** Why a step out of `implementing` is not what the policy decides; undefined if it is (exarchos.md §13). */
function whyNotByPolicy(to: unknown, { phase, policy, isRequested }: WorkflowRun): string | undefined {
  const wants = policy === 'always' || (policy === 'on-request' && isRequested);
  if (to === 'synthesize' && !wants)
    return `the workflow goes to synthesize, although ${policy === 'never' ? 'its policy is never' : 'nothing requested it'}`;
  if (to === 'completed' && phase === 'implementing' && wants)
    return `the workflow is completed without a synthesis, although ${policy === 'always' ? 'its policy is always' : 'one was requested'}`;
  return undefined;
}

/** The rules of a workflow as a whole: its start, its phases and its end, its policy, and patches of its state. */
export const WORKFLOW_RULES = merged<WorkflowEvent, WorkflowRun>(
  {
    'workflow.started': {
      'a workflow starts once'(_event, { started }) {
        if (started === undefined) return undefined;
        const message = `the workflow already started on line ${started}`;
        return { code: 'order/start-repeated', severity: 'warn', message, path: ['type'] };
      },
      'a oneshot workflow has a policy'(event) {
        const { workflowType, synthesisPolicy } = dataOf(event);
        const isOneshot = workflowType === 'oneshot';
        if (isOneshot === (synthesisPolicy !== undefined)) return undefined;
        const message = isOneshot
          ? 'a oneshot workflow names its synthesisPolicy, so that it survives a rebuild'
          : 'only a oneshot workflow has a synthesisPolicy: the program ignores this one';
        const path = isOneshot ? ['data'] : ['data', 'synthesisPolicy'];
        return { code: 'consistency/synthesis', message, path };
      },
    },

    'synthesize.requested': {
      'a synthesis is requested where the policy allows it'(_event, { type, policy, phase }) {
        if (type === undefined) return undefined;
        const why =
          type !== 'oneshot'
            ? `the workflow is of the type ${named(type)}`
            : policy === 'never'
              ? 'the policy of the workflow is never'
              : phase !== undefined && !REQUEST_PHASES.has(phase)
                ? `the workflow is in the phase ${named(phase)}`
                : undefined;
        return why === undefined
          ? undefined
          : synthesisDoubt(`a synthesis is requested, although ${why}`, ['type']);
      },
    },

    'workflow.transition': {
      'nothing leads out of a final phase': (event, run) => (run.isOver ? afterEnd(event, run) : undefined),
      'a oneshot workflow synthesizes by its policy'(event, run) {
        const why = run.type === 'oneshot' ? whyNotByPolicy(dataOf(event)['to'], run) : undefined;
        return why === undefined ? undefined : synthesisDoubt(why, ['data', 'to']);
      },
    },

    'state.patched': {
      'a patch is an object of possible places'(event, run) {
        const { data } = event.event;
        if (!isObject(data)) return undefined;
        const { patch, fields } = data;
        const path = ['data', 'patch'];
        if (!isObject(patch)) return undefined;
        const doubt = (message: string, at: readonly string[]): Doubt => {
          return { code: 'consistency/patch', message, path: at };
        };
        const keys = Object.keys(patch);
        const list = (names: readonly string[]) => names.map((name) => writeJson(name)).join(', ');
        const said = Array.isArray(fields) ? fields.map(textOf) : undefined;
        const others = said === undefined ? [] : outside(said, keys);
        const unnamed = said === undefined ? [] : outside(keys, said);
        return found(
          ...impossibleKeys(run.patched, patch, run.tasks.size).map((key): Doubt => {
            const message = `${writeJson(key)} is no possible place in the state, so the patch is ignored there`;
            return { ...doubt(message, [...path, key]), ifWhole: true };
          }),
          ...keys
            .filter((key) => !isPath(key))
            .map((key) =>
              doubt(`${writeJson(key)} is no path, so the state only gets a member of this name`, [
                ...path,
                key,
              ]),
            ),
          ...keys
            .filter(isReserved)
            .map((key) =>
              doubt(`${writeJson(key)} is reserved: the program never patches it`, [...path, key]),
            ),
          others.length > 0
            ? doubt(`fields names ${list(others)}, which the patch does not set`, ['data', 'fields'])
            : undefined,
          unnamed.length > 0
            ? doubt(`the patch sets ${list(unnamed)}, which fields does not name`, path)
            : undefined,
        );
      },
    },
  },

  forEach(NEEDS_START, {
    'a workflow begins with its start'({ type }, { hasBegun, hasHead }) {
      // A stream that does not begin at 1 lacks its head, which is reported as a gap.
      if (hasBegun || !hasHead) return undefined;
      const message = `${named(type)} comes first, but every workflow must begin with workflow.started`;
      return { code: 'order/start-not-first', message, path: ['type'], ifWhole: true };
    },
  }),

  forEach(OF_FEATURE, {
    'events are of the workflow that started'(event, run) {
      const feature = textIn(dataOf(event), 'featureId');
      // A workflow has the stream of its name (exarchos.md §1.3).
      const stream = textIn(event.event, 'streamId');
      const expected = run.task ?? stream;
      if (feature === undefined || expected === undefined || feature === expected) return undefined;
      const whose =
        run.task === undefined
          ? `the stream is ${named(expected)}`
          : `the workflow is that of ${named(expected)}`;
      const message = `the event is about the feature ${named(feature)}, but ${whose}`;
      return {
        code: 'consistency/feature',
        message,
        path: ['data', 'featureId'],
        expected,
        actual: feature,
      };
    },
  }),

  forEach(Object.keys(IN_PHASE), {
    'events are logged in the current phase'(event, run) {
      const { type } = event;
      const { phaseLine } = run;
      // The second event of an end names the phase before.
      const isPair = isSecond(event, run);
      const phase = isPair ? run.phaseBefore : run.phase;
      // What comes after the end is doubted once.
      if (phase === undefined || (run.isOver && !isPair && DOUBTED_AFTER_END.has(type))) return undefined;
      return found(
        ...(IN_PHASE[type] ?? []).map((member): Doubt | undefined => {
          const said = textIn(dataOf(event), member);
          if (said === undefined || said === phase) return undefined;
          const what = type === 'workflow.transition' ? 'the transition leaves' : `${type} names the phase`;
          const message = `${what} ${named(said)}, but line ${phaseLine} led ${isPair ? 'from' : 'to'} ${named(phase)}`;
          return {
            ...phaseDoubt(member, said, phase, message),
            // Another process changed the phase: that is why it failed.
            ...(type === 'workflow.cas-failed' && { severity: 'info' }),
          };
        }),
      );
    },
  }),

  forEach(Object.keys(OF_TRANSITION), {
    'the parts of a transition name its phases'(event, { phase, phaseBefore, phaseLine }) {
      if (phase === undefined) return undefined;
      const before = phaseBefore ?? phase;
      return found(
        ...(OF_TRANSITION[event.type] ?? []).map((member): Doubt | undefined => {
          const said = textIn(dataOf(event), member);
          const expected = member === 'from' ? before : phase;
          if (said === undefined || said === phase || said === expected) return undefined;
          const message = `${event.type} names the phase ${named(said)}, but line ${phaseLine} led from ${named(before)} to ${named(phase)}`;
          return phaseDoubt(member, said, expected, message);
        }),
      );
    },
  }),

  forEach(END_TYPES, {
    'a workflow ends once': (event, run) =>
      run.isOver && !isSecond(event, run) ? afterEnd(event, run) : undefined,
    'an end leads to its phase'(event) {
      const { type } = event;
      const to = textIn(dataOf(event), 'to');
      const final = FINAL_PHASES[type];
      if (to === undefined || final === undefined || to === final) return undefined;
      const message = `${type} leads to ${named(to)}, but such an event ends the workflow as ${final}`;
      return { code: 'order/lifecycle', message, path: ['data', 'to'], expected: final, actual: to };
    },
  }),
);
