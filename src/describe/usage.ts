import type { Cost } from '../dialects/prices.ts';
import type { UsageEntry } from '../dialects/session.ts';
import { NO_TOKENS, plusTokens, type Tokens } from '../dialects/tokens.ts';
import { byText } from '../text/order.ts';

/** The usage of one model. */
export interface ModelUsage {
  readonly answers: number;
  readonly tokens: Tokens;
}

/** The usage of one or more runs. Copies of an answer count once. */
export interface Usage {
  readonly tokens: Tokens;
  /** Most answers first. */
  readonly models: Readonly<Record<string, ModelUsage>>;
  /** Tokens by day in UTC, in order; answers without a time are on no day. */
  readonly days: Readonly<Record<string, Tokens>>;
  /** If there are prices. */
  readonly cost?: Cost;
}

/** The usage of a run with its subagents. */
export interface RunUsage extends Usage {
  /** The sum over all records, if it differs: records may repeat an answer. */
  readonly recorded_tokens?: number;
  /** The part that subagents with separate logs used. */
  readonly subagents?: { readonly logs: number; readonly tokens: Tokens };
}

/** Adds up answers. A fork of a session repeats those of its origin, which count once. */
export class UsageFold {
  readonly #byKey = new Map<string, UsageEntry>();

  add(entries: readonly UsageEntry[]): void {
    for (const entry of entries) {
      const key = entry.key ?? `no key ${this.#byKey.size}`;
      this.#byKey.set(`${entry.tool === undefined ? 'answer' : 'call'} ${key}`, entry);
    }
  }

  /** The entries without repetitions. */
  get entries(): readonly UsageEntry[] {
    return [...this.#byKey.values()];
  }

  result(): Usage {
    const models = new Map<string, ModelUsage>();
    const days = new Map<string, Tokens>();
    for (const { model, answers = 0, tokens, day } of this.#byKey.values()) {
      if (tokens === undefined) continue;
      const sum = models.get(model) ?? { answers: 0, tokens: NO_TOKENS };
      models.set(model, { answers: sum.answers + answers, tokens: plusTokens(sum.tokens, tokens) });
      if (day !== undefined) days.set(day, plusTokens(days.get(day) ?? NO_TOKENS, tokens));
    }
    const sorted = [...models].sort(([a, x], [b, y]) => y.answers - x.answers || byText(a, b));
    return {
      tokens: sorted.map(([, { tokens }]) => tokens).reduce(plusTokens, NO_TOKENS),
      models: Object.fromEntries(sorted),
      days: Object.fromEntries([...days].sort(([a], [b]) => byText(a, b))),
    };
  }
}
