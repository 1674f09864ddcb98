import { named } from '../../base/json/write.ts';
import { type Doubt, Rules } from '../kit/rules.ts';
import {
  accusedDoubt,
  actorDoubt,
  castingOf,
  competitionDoubts,
  contradiction,
  endingDoubts,
  nameDoubts,
  roleDoubts,
  scoreDoubt,
  seatDoubts,
  winnerDoubt,
} from './casting.ts';
import { instantOf, type LedgerEvent, timeText } from './read.ts';
import type { FishbowlRun } from './run.ts';

/** Why the engine ends a run (fishbowl.md §6). */
const REASONS: readonly string[] = ['verdict', 'budget', 'tick_cap', 'user_stop'];

function notFirst(message: string, member: string): Doubt {
  return { code: 'order/start-not-first', message, path: [member], ifWhole: true };
}

function afterEnd(event: LedgerEvent, run: FishbowlRun, endLine: number): Doubt {
  // A verdict may follow an end by budget. The end that it leads to makes the doubt void.
  const severity = run.mayFollowEnd(event) ? 'info' : 'warn';
  const message = `the run ended on line ${endLine}, but ${named(event.kind)} follows`;
  const words = (count: number): string | undefined => {
    // A second end replaces the first.
    if (run.finished?.line !== endLine) return undefined;
    return `the run ended on line ${endLine}, but ${count === 1 ? 'one event follows' : `${count} events follow`}`;
  };
  return {
    code: 'order/after-terminate',
    severity,
    message,
    once: { key: `${severity} after ${endLine}`, words },
  };
}

/**
 * The rules of a run (fishbowl.md §11): it starts once, first, and at turn 0; turns do not go back; it ends once, unless
 * a verdict corrects an end by budget; no event follows; it has one session; actors, winners and credits are possible.
 */
export const RULES = new Rules<LedgerEvent, FishbowlRun>({
  every: {
    'begins with run.started'({ kind }, { firstLine }) {
      if (firstLine > 0 || kind === 'run.started') return undefined;
      return notFirst(`the run begins with ${named(kind)}, not with run.started`, 'kind');
    },

    'turns do not go back'({ turn }, { turn: last, turnLine }) {
      if (turn === undefined || last === undefined || turn >= last) return undefined;
      return {
        code: 'sequence/backwards',
        message: `turn ${turn} comes after turn ${last} of the same run, on line ${turnLine}`,
        path: ['turn'],
        expected: `${last} or more`,
        actual: String(turn),
      };
    },

    'times do not go back'(event, run) {
      const instant = event.instant ?? instantOf(event.createdAt);
      if (instant === undefined || run.instant === undefined || instant >= run.instant) return undefined;
      const before = `the event of this run on line ${run.timeLine} (${timeText(run.createdAt)})`;
      const message = `created at ${timeText(event.createdAt)}, before ${before}; the order of the file counts`;
      return { code: 'event/time-order', severity: 'info', message, path: ['created_at'] };
    },

    /** After a restart the engine writes null, which is legal (fishbowl.md §5). */
    'has one session'({ sessionId }, { session, sessionLine }) {
      if (sessionId === null || session === null || session === sessionId) return undefined;
      const earlier = `the earlier events of this run, such as line ${sessionLine}`;
      return {
        code: 'consistency/session',
        message: `the event belongs to another session than ${earlier}`,
        path: ['session_id'],
        expected: session,
        actual: sessionId,
      };
    },

    'ends with run.finished'(event, run) {
      const { finished } = run;
      if (finished === undefined || event.kind === 'run.finished') return undefined;
      return afterEnd(event, run, finished.line);
    },

    'actors belong to the run'(event, { casting, strangers }) {
      const { kind, actor } = event;
      if (actor === undefined || strangers.has(actor)) return undefined;
      return actorDoubt(actor, kind === 'run.started' ? castingOf(event.payload) : casting);
    },
  },

  of: {
    'run.started': {
      'starts once'(_event, { started }) {
        if (started === undefined) return undefined;
        const message = `the run already started on line ${started.line}`;
        return { code: 'order/start-repeated', severity: 'warn', message, path: ['kind'] };
      },

      'starts at turn 0'({ turn = 0 }, { firstLine }) {
        if (firstLine > 0 || turn === 0) return undefined;
        return notFirst(`the run starts at turn ${turn}, not 0`, 'turn');
      },

      'names its own session'({ payload: { session_id: copy }, sessionId }) {
        if (typeof copy !== 'string' || sessionId === null || copy === sessionId) return undefined;
        return {
          code: 'consistency/session',
          message: 'the payload names another session than the event',
          path: ['payload', 'session_id'],
          expected: sessionId,
          actual: copy,
        };
      },

      'the competition is between seats': ({ payload }) => seatDoubts(castingOf(payload)),
    },

    'judge.verdict': {
      'no contest has no winner': ({ payload }) => contradiction(payload),
      'the winner can have won': ({ payload, actor }, { casting }) => winnerDoubt(payload, actor, casting),
      'the accused can be accused': ({ payload, actor }, { casting }) =>
        accusedDoubt(payload, actor, casting),
      'the competition has this result': ({ payload }, { casting }) => competitionDoubts(payload, casting),
      'scores and secrets are of the cast': ({ payload }, { casting }) => nameDoubts(payload, casting),
      'the winner has the highest score': ({ payload }, { casting }) => scoreDoubt(payload, casting),
      'a revealed role is that of the team': ({ payload }, { casting }) => roleDoubts(payload, casting),
    },

    'run.finished': {
      'ends once'(event, run) {
        if (run.finished === undefined || run.mayFollowEnd(event)) return undefined;
        const why = 'only a verdict with a winner may follow, once, if the budget ran out';
        const message = `the run already ended on line ${run.finished.line}; ${why}`;
        return { code: 'order/terminate-repeated', severity: 'warn', message, path: ['kind'] };
      },

      'turns are the turn of the end'({ payload: { turns }, turn }) {
        if (typeof turns !== 'number' || turn === undefined || turns === turn) return undefined;
        const message = `turns is ${turns}, but this event is at turn ${turn}: the engine counts ticks`;
        return { code: 'consistency/turns', message, path: ['payload', 'turns'] };
      },

      'the reason is known'({ payload: { reason } }) {
        if (typeof reason !== 'string' || REASONS.includes(reason)) return undefined;
        const message = `the reason ${named(reason)} is not known; the engine has ${REASONS.join(', ')}`;
        return { code: 'consistency/reason', severity: 'info', message, path: ['payload', 'reason'] };
      },

      'a verdict ends the run exactly if there is one'({ payload: { reason } }, { verdict }) {
        if (typeof reason !== 'string' || (reason === 'verdict') === (verdict !== undefined))
          return undefined;
        const [code, path, ifWhole] = ['consistency/reason', ['payload', 'reason'], true] as const;
        if (verdict === undefined)
          return { code, message: 'the reason is verdict, but the run has no verdict', path, ifWhole };
        const message = `the reason is ${named(reason)}, but line ${verdict.line} has a verdict`;
        return { code, severity: 'info', message, path, ifWhole };
      },

      'credits follow from verdict and cast': ({ payload }, { verdict, casting }) =>
        endingDoubts(payload, verdict, casting),
    },
  },
});
