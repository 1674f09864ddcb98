import { defined } from '../../../base/json/defined.ts';
import { grouped } from '../../../base/text/grouped.ts';
import type { Copied } from '../../kit/copied.ts';
import { type Lacks, totalTokens } from '../../kit/tokens.ts';
import type { SessionCalls } from './calls.ts';
import type { SessionClock } from './clock.ts';
import type { SessionFacts } from './facts.ts';
import type { Gap } from './missing-parents.ts';
import {
  asksIn,
  failedAmong,
  ownTurnsOf,
  type SessionDocument,
  type SessionOutline,
  type SessionProblem,
  type SessionTurn,
  type TurnStatus,
  type UsageEntry,
} from './session.ts';
import type { SessionTurns } from './turns.ts';
import type { UnknownTime } from './unknown-time.ts';
import type { SessionUsage } from './usage.ts';
import { type SessionWaits, withWaits } from './waits.ts';

/** What was found in the records of a session. */
export interface Gathered {
  readonly clock: SessionClock;
  readonly turns: SessionTurns;
  readonly calls: SessionCalls;
  readonly usage: SessionUsage;
  /** Where records are missing that others name. */
  readonly gaps: ReadonlySet<Gap>;
  readonly waits: SessionWaits;
  readonly unknown: UnknownTime;
  readonly facts: SessionFacts;
  readonly problems: readonly SessionProblem[];
  readonly outcome: { readonly text: string; readonly line: number } | undefined;
  readonly compactions: number;
  /** The program may write at the end of a turn how long it worked on it. */
  readonly isMeasured: boolean;
}

/** What a turn lacks, with its damaged lines, and with those missing records that are not on these lines. */
const withLost = (lacks: Lacks | undefined, lines = 0, records = 0): Lacks | undefined =>
  lines + records === 0
    ? lacks
    : { ...lacks, ...(lines > 0 && { lines }), ...(records > lines && { records: records - lines }) };

/** A session made from what was found so far. */
export class SessionSoFar {
  readonly #found: Gathered;
  readonly #status: TurnStatus;
  readonly #statuses: ReadonlyMap<SessionTurn, TurnStatus>;

  /** `status`: that of its last turn. */
  constructor(found: Gathered, status: TurnStatus) {
    this.#found = found;
    this.#status = status;
    this.#statuses = found.turns.statuses(status);
  }

  /**
   * Answers and calls for statistics, without those that the log says were copied. `owner` makes keys unique. A call is known
   * again in a copy of its session by its id, its input and its time: some models number the calls of each session.
   */
  entries(owner: string | undefined): UsageEntry[] {
    const { usage } = this.#found;
    const [fallback = 'unknown'] = usage.models();
    const known = new Map<string, number>();
    const own = this.#calls().filter(({ call }) => !call.copied);
    const calls = own.map(({ call, time, began }) => {
      const { id, input, model = fallback, tool } = call;
      if (id === undefined) return { model, tool, call, time };
      // Some models number the calls of each answer, so the id alone is not enough.
      const name = [id, ...(began === undefined ? [] : [began]), input].join(' ');
      const count = (known.get(name) ?? 0) + 1;
      known.set(name, count);
      return { key: count === 1 ? name : `${name} ${count}`, model, tool, call, time };
    });
    return [...usage.entries(owner), ...calls, ...this.#withoutTokens(owner, fallback)];
  }

  /** The {@link entries} that are not calls. */
  answers(owner: string | undefined): UsageEntry[] {
    const { usage } = this.#found;
    const [fallback] = usage.models();
    return [...usage.entries(owner), ...this.#withoutTokens(owner, fallback)];
  }

  #withoutTokens(owner: string | undefined, model = 'unknown'): UsageEntry[] {
    const { gaps, usage } = this.#found;
    const missing = [...gaps].filter(({ isFilled }) => !isFilled);
    const keyOf = (...names: readonly string[]) =>
      (owner === undefined ? names : [owner, ...names]).join(' ');
    return [
      ...(usage.lacksAll ? [{ key: keyOf('requests'), model, isUncounted: true as const }] : []),
      ...usage.withoutTokens.map(([key, entry]) => ({ key, model, ...entry })),
      ...missing.map(({ id }) => ({
        key: keyOf('record', id),
        model,
        isMissing: true as const,
      })),
    ];
  }

  #calls() {
    const { calls, clock, isMeasured, turns, unknown } = this.#found;
    const isUnmeasured = (turn: SessionTurn | undefined) =>
      isMeasured &&
      turn?.worked_ms === undefined &&
      (turn === undefined ? unknown.isFound : turns.damageOf(turn) !== undefined);
    return calls.all(this.#status, this.#statuses, isUnmeasured, clock.stored.ended_at);
  }

  #outset(): Omit<SessionOutline, 'turns' | 'asks' | 'models' | 'hasCopies'> {
    const { clock, facts, turns } = this.#found;
    return { ...facts.head(turns.all), status: this.#status, ...clock.stored };
  }

  /** What a list shows. */
  outline(): SessionOutline {
    const { calls, facts, turns, usage } = this.#found;
    return {
      ...this.#outset(),
      turns: ownTurnsOf({ turns: turns.all }).length,
      asks: asksIn(calls.open(this.#status, this.#statuses)),
      models: usage.models(),
      hasCopies: facts.copiedLines !== undefined,
    };
  }

  #copied(calls: number): Copied | undefined {
    const { facts, turns } = this.#found;
    const { copiedLines: lines, origin: from } = facts;
    const copied = turns.all.filter((turn) => turn.copied).length;
    if (lines === undefined || copied + calls === 0) return undefined;
    return { ...defined({ from }), turns: copied, calls, lines };
  }

  document(): SessionDocument {
    const { clock, facts, usage, outcome } = this.#found;
    const turns = this.#found.turns.all;
    const tokens = usage.tokens();
    const counts = Object.values(tokens);
    const { whole } = clock;
    const calls = this.#calls();
    const own = calls.filter(({ call }) => !call.copied);
    // Of a turn of which only the beginning was copied, the rest counts.
    const ofTurns = grouped(calls, ({ turn, call }) => (turn?.copied || !call.copied ? turn : undefined));
    const damageOf = (turn: SessionTurn) => this.#found.turns.damageOf(turn);
    const doubts = { ...this.#found.unknown.with(own, clock.last), damageOf };
    const waits = this.#found.waits.result(turns, whole, doubts);
    const used = usage.result();
    const lacks = usage.lacks();
    const { files, agents, links } = facts.lists;
    return {
      ...this.#outset(),
      ...(whole !== undefined && { lasted_ms: whole.to - whole.from }),
      ...waits.session,
      ...used.session,
      turns: turns.map((turn, index) => ({
        ...withWaits(turn, waits.turns[index]),
        ...defined({
          status: this.#statuses.get(turn),
          tokens: used.turns[index],
          lacks: withLost(lacks.get(index + 1), damageOf(turn)?.lines, this.#found.turns.missingOf(turn)),
        }),
        ...failedAmong((ofTurns.get(turn) ?? []).map(({ call }) => call)),
      })),
      calls: calls.map(({ call }) => call),
      files,
      agents,
      models: usage.models(),
      tokens,
      ...(counts.length > 0 && { total_tokens: counts.reduce((sum, one) => sum + totalTokens(one), 0) }),
      compactions: this.#found.compactions,
      links,
      problems: [...this.#found.problems],
      ...(outcome !== undefined && { outcome: outcome.text, outcome_line: outcome.line }),
      ...defined({ copied: this.#copied(calls.length - own.length) }),
    };
  }
}
