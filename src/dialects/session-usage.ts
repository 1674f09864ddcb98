import type { TokenCounts, UsageEntry } from './session.ts';

/** The tokens of an answer, or of all that its key stands for. */
type Answer = UsageEntry & { readonly key: string; readonly tokens: TokenCounts };

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
  tokens(): Record<string, TokenCounts> {
    const sums = new Map<string, Map<string, number>>();
    for (const { model, tokens, answers = 0 } of this.#answers.values()) {
      const sum = sums.get(model) ?? new Map<string, number>();
      sums.set(model, sum);
      if (answers > 0) sum.set('responses', (sum.get('responses') ?? 0) + answers);
      for (const [name, count] of Object.entries(tokens)) sum.set(name, (sum.get(name) ?? 0) + count);
    }
    return Object.fromEntries([...sums].map(([model, sum]) => [model, Object.fromEntries(sum)]));
  }
}
