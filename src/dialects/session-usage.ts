import type { ModelTokens, UsageEntry } from './session.ts';
import { NO_TOKENS, plusTokens, type Tokens } from './tokens.ts';

/** The tokens of an answer, or of everything with its key. */
type Answer = UsageEntry & { readonly key: string; readonly tokens: Tokens };

/** The models and tokens that a session used. */
export class SessionUsage {
  readonly #answers = new Map<string, Answer>();
  /** Models in other records than answers. */
  readonly #models = new Map<string, number>();

  /** Adds an answer. The last one with the same key counts. */
  add(answer: Answer): void {
    this.#answers.set(answer.key, answer);
  }

  model(name: string | undefined): void {
    if (name !== undefined) this.#models.set(name, (this.#models.get(name) ?? 0) + 1);
  }

  /** The answers. `owner` makes keys unique. */
  entries(owner?: string): UsageEntry[] {
    return [...this.#answers.values()].map((answer) =>
      owner === undefined ? answer : { ...answer, key: `${owner} ${answer.key}` },
    );
  }

  /** The models, most answers first. */
  models(): string[] {
    const counts = new Map(this.#models);
    for (const { model, answers = 0 } of this.#answers.values())
      if (answers > 0) counts.set(model, (counts.get(model) ?? 0) + answers);
    return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  }

  /** The tokens and number of responses per model. */
  tokens(): Record<string, ModelTokens> {
    const sums = new Map<string, ModelTokens>();
    for (const { model, tokens, answers = 0 } of this.#answers.values()) {
      const sum: ModelTokens = sums.get(model) ?? NO_TOKENS;
      const responses = (sum.responses ?? 0) + answers;
      sums.set(model, { ...(responses > 0 && { responses }), ...plusTokens(sum, tokens) });
    }
    return Object.fromEntries(sums);
  }
}
