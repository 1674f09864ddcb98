import type { JsonObject } from '../../../base/json/value.ts';
import { textIn } from '../../kit/members.ts';
import { textOfMessage } from './records.ts';

/** A call that starts a subagent, and what it says about it. */
export interface StartingCall {
  readonly id: string;
  readonly line: number;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly prompt: string;
}

/**
 * Says which subagent wrote a record, if subagents are in the log of their session, as in older versions (claude-code.md §6). They
 * have no ids there, so a subagent is named by the call that started it, else by its first record.
 */
export class Sidechains {
  /** By the id of a record, the subagent that wrote it. */
  readonly #agents = new Map<string, string>();
  /** The calls whose subagent has not been found. */
  readonly #waiting = new Map<string, StartingCall>();
  /** The calls whose subagent has been found. */
  readonly #found = new Map<string, StartingCall>();
  /** The subagents whose calls have no result yet. */
  readonly #running = new Set<string>();

  started(call: StartingCall): void {
    this.#waiting.set(call.id, call);
  }

  /** A call got its result. */
  ended(call: string): void {
    this.#waiting.delete(call);
    this.#running.delete(call);
  }

  /** The call that started a subagent of this log. */
  callOf(agent: string): StartingCall | undefined {
    return this.#found.get(agent);
  }

  /** The subagent that wrote a record, and whether this is its first one. */
  writerOf(event: JsonObject, line: number): { readonly agent: string; readonly isNew: boolean } {
    const uuid = textIn(event, 'uuid');
    const known = this.#known(event);
    const agent = known ?? this.#begin(event) ?? uuid ?? `line ${line}`;
    if (uuid !== undefined) this.#agents.set(uuid, agent);
    return { agent, isNew: known === undefined };
  }

  /** After a record that is not in the log, the only subagent that runs goes on. */
  #known(event: JsonObject): string | undefined {
    const parent = textIn(event, 'parentUuid');
    if (parent === undefined) return undefined;
    const [only, ...others] = this.#running;
    return this.#agents.get(parent) ?? (others.length === 0 ? only : undefined);
  }

  /** The task of a subagent is the prompt of its call. Of several calls with one prompt, the first has the first subagent. */
  #begin(event: JsonObject): string | undefined {
    const task = textOfMessage(event).trim();
    const call = [...this.#waiting.values()].find(({ prompt }) => prompt.trim() === task);
    if (call === undefined) return undefined;
    this.#waiting.delete(call.id);
    this.#found.set(call.id, call);
    this.#running.add(call.id);
    return call.id;
  }
}
