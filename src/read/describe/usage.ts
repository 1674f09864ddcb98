import { byText } from '../../base/text/order.ts';
import type { Cost } from '../../dialects/kit/prices.ts';
import { missingTokens, NO_TOKENS, plusTokens, type Tokens, totalTokens } from '../../dialects/kit/tokens.ts';
import type { UsageEntry } from '../../dialects/sessions/kit/session.ts';

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
  /** False if the session has tokens, but none by turn. */
  readonly tokens_by_turn?: false;
  /** The part that subagents with separate logs used. */
  readonly subagents?: { readonly logs: number; readonly tokens: Tokens };
}

/** The tokens of some sessions; each entry counts once. */
function usedBy(runs: readonly string[], byRun: ReadonlyMap<string, readonly UsageEntry[]>): Tokens {
  const parts = new Set(runs.flatMap((run) => byRun.get(run) ?? []));
  return [...parts].reduce((sum, { tokens = NO_TOKENS }) => plusTokens(sum, tokens), NO_TOKENS);
}

/** Adds up answers. A fork of a session repeats those of its origin, which count once. */
export class UsageFold {
  /** By key; an entry without one is its own. */
  readonly #answers = new Map<string | UsageEntry, UsageEntry>();
  readonly #calls = new Map<string | UsageEntry, UsageEntry>();

  add(entries: readonly UsageEntry[]): void {
    const size = ({ total }: UsageEntry) => (total ? totalTokens(total.tokens) : 0);
    for (const entry of entries) {
      const { key = entry, tool } = entry;
      const byKey = tool === undefined ? this.#answers : this.#calls;
      const known = byKey.get(key);
      if (known === undefined || size(entry) >= size(known)) byKey.set(key, entry);
    }
  }

  /** The entries without repetitions. */
  get entries(): readonly UsageEntry[] {
    return [...this.#answers.values(), ...this.#calls.values()];
  }

  /** The entries with tokens, by the name of their session. */
  #byRun(): ReadonlyMap<string, readonly UsageEntry[]> {
    const byRun = new Map<string, UsageEntry[]>();
    for (const entry of this.entries) {
      if (entry.tokens === undefined || entry.total !== undefined) continue;
      for (const run of entry.runs ?? []) {
        const known = byRun.get(run);
        if (known) known.push(entry);
        else byRun.set(run, [entry]);
      }
    }
    return byRun;
  }

  result(): Usage {
    const models = new Map<string, ModelUsage>();
    const days = new Map<string, Tokens>();
    const byRun = this.#byRun();
    for (const { model, answers = 0, tokens: own, day, total } of this.entries) {
      if (own === undefined) continue;
      const tokens = total ? missingTokens(total.tokens, usedBy(total.of, byRun)) : own;
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
