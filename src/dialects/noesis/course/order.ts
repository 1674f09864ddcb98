import { named } from '../../../base/json/write.ts';
import type { Row } from '../../../log/row.ts';
import type { Rule } from '../../kit/rules.ts';
import { COLUMN, endsRun, isStateProjectionRow, PHASE } from '../event/rows.ts';
import { AFTER_TERMINATE, PHASES } from '../event/vocabulary.ts';
import type { Course } from './course.ts';

const MAY_FOLLOW = new Set(AFTER_TERMINATE.map((phase) => PHASE[phase]));

/**
 * The order of the cognitive loop after the start. Any phase may be absent or repeated, and direction and governance may
 * come in either order.
 */
const LOOP = [
  ['observe'],
  ['intuition'],
  ['interpret'],
  ['plan'],
  ['direction', 'governance'],
  ['act'],
  ['reflect'],
  ['learn'],
] as const;

/** By the number of a phase of the loop: the numbers of the phases after it. */
const LATER: ReadonlyMap<number, readonly number[]> = new Map(
  LOOP.flatMap((phases, place) => {
    const later = LOOP.slice(place + 1).flatMap((ones) => ones.map((phase) => PHASE[phase]));
    return phases.map((phase) => [PHASE[phase], later] as const);
  }),
);

/** In which order the phases of a log came. */
export class PhaseOrder {
  /** The ordinal of the id of the last event; -1 for none. */
  lastId = -1;
  /** The ordinal of the last id. */
  previousId = -1;
  /** Whether the log has contained candidates so far. */
  #hasCandidates = false;
  /** By the number of a phase: the line of its first event. */
  readonly #firstLines: number[] = [];

  take(row: Row): void {
    const { line, type } = row;
    const id = row.ordinal(COLUMN.id);
    if (type === PHASE.action_candidate) this.#hasCandidates = true;
    if (this.isFirstInLoop(type)) this.#firstLines[type] = line;
    this.lastId = id;
    if (id >= 0) this.previousId = id;
  }

  /** Whether a phase of the loop has not occurred. Decisions about candidates are not part of the loop. */
  isFirstInLoop(type: number): boolean {
    if (this.#firstLines[type] !== undefined || !LATER.has(type)) return false;
    return !(this.#hasCandidates && type === PHASE.governance);
  }

  /** A phase of the loop that has occurred although it comes after this one. */
  laterThan(type: number): { readonly phase: string; readonly line: number } | undefined {
    for (const later of LATER.get(type) ?? []) {
      const line = this.#firstLines[later];
      if (line !== undefined) return { phase: PHASES[later] as string, line };
    }
    return undefined;
  }
}

type OrderRule = Rule<Row, { readonly order: PhaseOrder; readonly course: Course }>;

/** The rules for the order of phases: the start and end of an episode, and what may follow. */
export const ORDER_RULES: Readonly<
  Record<'every' | 'start' | 'run' | 'end', Readonly<Record<string, OrderRule>>>
> = {
  every: {
    'the log begins with start'(row, { course }) {
      if (course.lastLine > 0 || row.type === PHASE.start) return undefined;
      const { phase } = row.event;
      const first = phase === undefined ? 'an event without a phase' : named(phase);
      const message = `the log begins with ${first}; every episode begins with start`;
      return { code: 'order/start-not-first', message, path: ['phase'], ifWhole: true };
    },

    'phases are in the order of the loop'({ type }, { order }) {
      const later = order.isFirstInLoop(type) ? order.laterThan(type) : undefined;
      if (later === undefined) return undefined;
      const message = `${PHASES[type]} comes after ${later.phase} on line ${later.line}; in the loop it comes before`;
      return { code: 'order/phase', message, path: ['phase'], ifWhole: true };
    },

    'little may follow the end'(row, { course: { end } }) {
      const { type } = row;
      if (end === undefined || type >= PHASES.length || MAY_FOLLOW.has(type) || endsRun(row))
        return undefined;
      const message = `${PHASES[type]} comes after terminate on line ${end.line}; only insight, memory, learn and runtime may`;
      return { code: 'order/after-terminate', message, path: ['phase'] };
    },
  },

  start: {
    'an episode starts once'(_row, { course: { start } }) {
      if (start === undefined) return undefined;
      const message = `the episode already started on line ${start.line}`;
      return { code: 'order/start-repeated', message, path: ['phase'] };
    },
  },

  end: {
    'an episode ends once'(_row, { course: { end } }) {
      if (end === undefined) return undefined;
      const message = `the episode already ended on line ${end.line}`;
      return { code: 'order/terminate-repeated', message, path: ['phase'] };
    },
  },

  run: {
    'the cause of a state projection is the event before it'(row, { order }) {
      const cause = isStateProjectionRow(row) ? row.ordinal(COLUMN.cause) : -1;
      if (cause < 0 || cause === order.previousId) return undefined;
      const textOf = (id: number) => row.texts.textOf(id);
      return {
        code: 'order/phase',
        message:
          'a state projection stores the outcome of the event before it, but this one names another cause',
        path: ['caused_by'],
        actual: textOf(cause),
        ...(order.previousId >= 0 && { expected: textOf(order.previousId) }),
        ifWhole: true,
      };
    },
  },
};
