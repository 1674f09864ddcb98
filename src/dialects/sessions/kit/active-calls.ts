import type { SessionTurn } from './session.ts';

/** A call, as far as it matters whether it still works. */
interface Active {
  readonly call: { readonly line: number; readonly status: string };
  readonly turn: SessionTurn | undefined;
}

/**
 * The calls that may still work, by their turns. Those that are taken are not there any more, so that many stops and damaged lines do
 * not look at the same calls again.
 */
export class ActiveCalls<Call extends Active> {
  readonly #ofTurns = new Map<SessionTurn | undefined, Call[]>();

  add(call: Call): void {
    const known = this.#ofTurns.get(call.turn);
    // They are in the order of their lines, also if one of them comes back.
    if (known) known.splice(known.findLastIndex((one) => one.call.line <= call.call.line) + 1, 0, call);
    else this.#ofTurns.set(call.turn, [call]);
  }

  /** Takes the calls of a turn that have no result, from this line on. */
  take(turn: SessionTurn | undefined, line = 0): Call[] {
    const calls = this.#ofTurns.get(turn) ?? [];
    const taken: Call[] = [];
    for (let last = calls.at(-1); last !== undefined && last.call.line >= line; last = calls.at(-1)) {
      calls.pop();
      if (last.call.status === 'open') taken.push(last);
    }
    if (calls.length === 0) this.#ofTurns.delete(turn);
    return taken;
  }

  /** Takes all calls that have no result. */
  takeAll(): Call[] {
    return [...this.#ofTurns.keys()].flatMap((turn) => this.take(turn));
  }
}
