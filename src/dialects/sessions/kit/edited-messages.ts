import type { Said } from './format.ts';
import { SessionHistory } from './history.ts';
import type { TurnStatus } from './session.ts';

/**
 * How a prompt left the conversation: by a rewind, by a summary in its place, or with a shorter list of messages. `unknown`: what
 * looks like a summary may be a message on a damaged line.
 */
type Left = 'rewind' | 'summary' | 'list' | 'unknown';

/** The messages of a session that later records replace and take back. */
export class EditedMessages {
  readonly history = new SessionHistory();
  /** The content of messages by id, because a later record may replace them. */
  readonly #before = new Map<string, Required<Pick<Said, 'thinking' | 'answer' | 'calls'>>>();
  /** By id of a prompt: its turn, and why it is no longer in the conversation. */
  readonly #prompts = new Map<string, { readonly turn: number; left?: Left }>();
  #hasLost = false;

  /** A line is damaged. */
  lost(): void {
    this.#hasLost = true;
  }

  /** Applies a record to the history. Of a message that came before, returns only what is new. */
  apply(said: Said, id: string | undefined, line: number): Said {
    const { rewindsTo, replaces } = said;
    if (rewindsTo !== undefined) this.#leave(this.history.rewind(rewindsTo).ids, 'rewind');
    if (replaces !== undefined) {
      const { ids, isSummary } = this.history.replace(replaces, line);
      const left = this.#hasLost ? 'unknown' : 'summary';
      const isCompaction = this.#leave(ids, isSummary ? left : 'list') && isSummary;
      return isCompaction ? { ...said, compaction: true } : said;
    }
    if (id !== undefined) this.history.add(id, line);
    const before = this.#before.get(id ?? '');
    if (before === undefined && said.prompt !== undefined)
      this.#prompts.set(id ?? `line ${line}`, { turn: this.#prompts.size });
    if (id === undefined) return said;
    const { thinking = '', answer = '', calls = [] } = said;
    const known = before?.calls ?? [];
    const added = calls.filter((call) => !known.some((one) => one.id === call.id));
    // A log may repeat an earlier version of a message, which has fewer calls than the one before.
    this.#before.set(id, { thinking, answer, calls: [...known, ...added] });
    if (before === undefined) return said;
    const { prompt: _prompt, problem: _problem, note: _note, ...rest } = said;
    return {
      ...rest,
      thinking: thinking === before.thinking ? '' : thinking,
      answer: answer === before.answer ? '' : answer,
      calls: added,
    };
  }

  /** The turns that were taken back, from 0. */
  get takenBack(): ReadonlySet<number> {
    const gone = [...this.#prompts].filter(
      ([id, { left = 'summary' }]) => left !== 'summary' && left !== 'unknown' && !this.history.has(id),
    );
    return new Set(gone.map(([, { turn }]) => turn));
  }

  /** The status of a session whose last prompt left the conversation, so that no record has it; undefined for other sessions. */
  get statusWithoutPrompt(): TurnStatus | undefined {
    const [id, { left } = {}] = [...this.#prompts].at(-1) ?? [];
    if (id === undefined || this.history.has(id)) return undefined;
    return left === 'list' ? 'withdrawn' : left === 'unknown' ? left : undefined;
  }

  /** Keeps why prompts were removed. Returns whether any were. */
  #leave(ids: readonly string[], left: Left): boolean {
    const prompts = ids.flatMap((id) => this.#prompts.get(id) ?? []);
    for (const prompt of prompts) prompt.left = left;
    return prompts.length > 0;
  }
}
