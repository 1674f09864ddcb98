import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { dollars } from '../../kit/decimals.ts';
import { numberIn, objectIn } from '../../kit/members.ts';
import { NO_TOKENS, plusTokens, type Tokens, tokensIn, tokensText } from '../../kit/tokens.ts';

/** The tokens of a model in a `cost-state` (claude-code.md §4). */
const NAMES = {
  input: 'inputTokens',
  cached: 'cacheReadInputTokens',
  cache_write: 'cacheCreationInputTokens',
  output: 'outputTokens',
} as const;

interface State {
  readonly cost: number;
  readonly tokens: Tokens;
}

/**
 * What the program counted itself, with its subagents and compactions. A process that resumes a session goes on with its counts
 * and its `startTime`; one that does not know them begins with other ones at 0.
 */
export class CostStates {
  readonly #byStart = new Map<JsonValue | undefined, State>();

  add(event: JsonObject): void {
    const cost = numberIn(event, 'totalCostUSD');
    if (cost === undefined) return;
    const models = objectIn(event, 'modelUsage');
    const tokens = Object.keys(models)
      .map((model) => tokensIn(objectIn(models, model), NAMES))
      .reduce(plusTokens, NO_TOKENS);
    this.#byStart.set(event['startTime'], { cost, tokens });
  }

  /** Facts about the session; none if the program stored no counts. */
  facts(): Record<string, string | number> {
    const states = [...this.#byStart.values()];
    const cost = dollars(states.reduce((sum, state) => sum + state.cost, 0));
    if (states.length === 0 || cost === undefined) return {};
    const tokens = states.map((state) => state.tokens).reduce(plusTokens, NO_TOKENS);
    return { cost_usd: cost, stated_tokens: tokensText(tokens) };
  }
}
