import type { ModelTokens, UsageEntry } from './session.ts';
import { NO_TOKENS, plusTokens, type Tokens } from './tokens.ts';

/** The tokens of an answer, or of all that its key stands for. */
type Answer = UsageEntry & { readonly key: string; readonly tokens: Tokens };

/** What a session used: of which models, and how many tokens. */
export class SessionUsage {
  readonly #answers = new Map<string, Answer>();
  /** The models that records name, beside those of answers. */
  readonly #models = new Map<string, number>();

  /** Takes in an answer: of two with one key the later counts. */
  add(answer: Answer): void {
    this.#answers.set(answer.key, answer);
  }

  model(name: string | undefined): void {
    if (name !== undefined) this.#models.set(name, (this.#models.get(name) ?? 0) + 1);
  }

  /** Each answer. `owner`: whose they are, where keys are not unique. */
  entries(owner?: string): UsageEntry[] {
    return [...this.#answers.values()].map((answer) =>
      owner === undefined ? answer : { ...answer, key: `${owner} ${answer.key}` },
    );
  }

  /** The models, the one with most answers first. */
  models(): string[] {
    const counts = new Map(this.#models);
    for (const { model, answers = 0 } of this.#answers.values())
      if (answers > 0) counts.set(model, (counts.get(model) ?? 0) + answers);
    return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  }

  /** The tokens of each model, and how many responses they are of. */
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
