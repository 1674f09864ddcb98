import { pushAll } from '../../../base/files/push-all.ts';
import { addCharges, type Charge } from '../../kit/charges.ts';
import { type Lacks, NO_TOKENS, plusTokens, type Tokens, tokensText, totalTokens } from '../../kit/tokens.ts';
import { byUse } from '../../kit/usage.ts';
import type { ModelTokens, SessionDocument, UsageEntry } from './session.ts';

/** An answer with tokens. A key identifies it in all its records. */
type Answer = UsageEntry & { readonly key: string; readonly tokens: Tokens };

/** The place of what no turn has for certain, because it follows a damaged line. */
export const UNSURE = -1;

/** What the answers of each turn used; 0 is before the first turn. A turn without answers has no entry. */
export type TurnCharges = readonly (readonly Charge[] | undefined)[];

/** The models and tokens that a session used. */
export class SessionUsage {
  readonly #answers = new Map<string, Answer>();
  readonly #byTurn = new Map<string, { readonly charges: readonly Charge[]; readonly turn: number }>();
  readonly #uncounted = new Map<string, number>();
  /** The turns that may have had an answer whose tokens no turn has for certain. */
  readonly #incomplete = new Set<number>();
  #recorded = 0;
  /** Models that the answers which count may not name, with the number of answers. */
  readonly #models = new Map<string, number>();

  /** Adds an answer. The last one with the same key counts; a model that only an earlier one names is not forgotten. */
  add(answer: Answer): void {
    const model = this.#answers.get(answer.key)?.model;
    if (model !== answer.model) this.model(model, 0);
    this.#answers.set(answer.key, answer);
  }

  /** Takes back an answer of which another record has the tokens. */
  remove(key: string): void {
    this.#answers.delete(key);
    this.#byTurn.delete(key);
  }

  /** Adds a model that a record names. `answers`: those that are not added as answers. */
  model(name: string | undefined, answers = 1): void {
    if (name !== undefined) this.#models.set(name, (this.#models.get(name) ?? 0) + answers);
  }

  /** Whether no record has tokens, nor says that some are missing. */
  get isEmpty(): boolean {
    return this.#answers.size === 0 && this.#uncounted.size === 0;
  }

  /** The answers. `owner` makes keys unique. */
  entries(owner?: string): UsageEntry[] {
    return [...this.#answers.values()].map((answer) =>
      owner === undefined ? answer : { ...answer, key: `${owner} ${answer.key}` },
    );
  }

  /** The models, most used first. */
  models(): string[] {
    const used = new Map(
      [...this.#models].map(([model, answers]) => [model, { answers, tokens: NO_TOKENS }] as const),
    );
    for (const { model, answers = 0, tokens } of this.#answers.values()) {
      if (answers === 0) continue;
      const sum = used.get(model) ?? { answers: 0, tokens: NO_TOKENS };
      used.set(model, { answers: sum.answers + answers, tokens: plusTokens(sum.tokens, tokens) });
    }
    return [...used].sort(byUse).map(([name]) => name);
  }

  /** The tokens and number of responses per model. */
  tokens(): Record<string, ModelTokens> {
    const sums = new Map<string, { responses: number; tokens: Tokens }>();
    for (const { model, tokens, answers = 0 } of this.#answers.values()) {
      const sum = sums.get(model);
      if (sum === undefined) sums.set(model, { responses: answers, tokens });
      else {
        sum.responses += answers;
        sum.tokens = plusTokens(sum.tokens, tokens);
      }
    }
    const shown = ({ responses, tokens }: { readonly responses: number; readonly tokens: Tokens }) => ({
      ...(responses > 0 && { responses }),
      ...plusTokens(NO_TOKENS, tokens),
    });
    return Object.fromEntries([...sums].map(([model, sum]) => [model, shown(sum)]));
  }

  /** Counts the tokens of a record, even if another record repeats them. */
  recorded(tokens: Tokens): void {
    this.#recorded += totalTokens(tokens);
  }

  /**
   * Assigns an answer to a turn, counted from 1; 0 is before the first turn. A repeated key replaces the
   * charges, but keeps the turn.
   */
  inTurn(key: string, charges: readonly Charge[], turn: number): void {
    this.#byTurn.set(key, { charges, turn: this.#byTurn.get(key)?.turn ?? turn });
  }

  /** The program sent a request in a turn, and the log does not have its tokens. Equal keys count once. */
  uncounted(key: string, turn: number): void {
    if (!this.#uncounted.has(key)) this.#uncounted.set(key, turn);
  }

  /** Takes back that the tokens of a request are missing. */
  counted(key: string): void {
    this.#uncounted.delete(key);
  }

  /** The turn may have had an answer whose tokens no turn has for certain. */
  lacksOne(turn: number): void {
    this.#incomplete.add(turn);
  }

  /** What the tokens of each turn lack, by the number of the turn; without the turns that lack nothing. */
  lacks(): ReadonlyMap<number, Lacks> {
    const lacks = new Map<number, Lacks>();
    const count = (turn: number | undefined, kind: 'requests' | 'answers') => {
      if (turn === undefined) return;
      const known = lacks.get(turn);
      lacks.set(turn, { ...known, [kind]: (known?.[kind] ?? 0) + 1 });
    };
    for (const turn of this.#uncounted.values()) count(turn, 'requests');
    for (const turn of this.#incomplete) count(turn, 'answers');
    for (const { key, isPartial } of this.#answers.values())
      if (isPartial) count(this.#byTurn.get(key)?.turn, 'answers');
    return lacks;
  }

  /** The charges by turn, from 0, if the tokens of the turns add up to those of the session. */
  charges(): TurnCharges {
    const byTurn: Charge[][] = [];
    if (!this.#addsUp()) return byTurn;
    for (const { charges, turn } of this.#byTurn.values()) {
      if (turn === UNSURE) continue;
      const known = byTurn[turn];
      if (known) pushAll(known, charges);
      else byTurn[turn] = [...charges];
    }
    return byTurn.map(addCharges);
  }

  /** The tokens of each turn if they add up to those of the session, and what else the records say about the sum. */
  result(): {
    readonly turns: readonly (Tokens | undefined)[];
    readonly session: Pick<SessionDocument, 'early_tokens' | 'unsure_tokens' | 'recorded_tokens'>;
  } {
    const total = this.#total();
    const sums: (Tokens | undefined)[] = [];
    let unsure = NO_TOKENS;
    for (const { charges, turn } of this.#byTurn.values())
      for (const { tokens } of charges)
        if (turn === UNSURE) unsure = plusTokens(unsure, tokens);
        else sums[turn] = plusTokens(sums[turn] ?? NO_TOKENS, tokens);
    const isByTurn = this.#addsUp();
    const [early, ...turns] = isByTurn ? sums : [];
    return {
      turns,
      session: {
        ...(early !== undefined && { early_tokens: early }),
        ...(isByTurn && totalTokens(unsure) > 0 && { unsure_tokens: totalTokens(unsure) }),
        ...(this.#recorded > totalTokens(total) && { recorded_tokens: this.#recorded }),
      },
    };
  }

  #addsUp(): boolean {
    const all = [...this.#byTurn.values()].flatMap(({ charges }) => charges.map(({ tokens }) => tokens));
    return all.length > 0 && tokensText(all.reduce(plusTokens, NO_TOKENS)) === tokensText(this.#total());
  }

  #total(): Tokens {
    return [...this.#answers.values()].map(({ tokens }) => tokens).reduce(plusTokens, NO_TOKENS);
  }
}
