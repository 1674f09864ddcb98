import { pushAll } from '../../../base/files/push-all.ts';
import { defined } from '../../../base/json/defined.ts';
import { addCharges, type Charge, type Request, type StoredCost, sizeOf } from '../../kit/charges.ts';
import { type Lacks, NO_TOKENS, plusTokens, type Tokens, tokensText, totalTokens } from '../../kit/tokens.ts';
import { byUse } from '../../kit/usage.ts';
import type {
  EntryWithoutTokens,
  ModelTokens,
  NumberedRecords,
  SessionDocument,
  UsageEntry,
} from './session.ts';

/** An answer with tokens. A key identifies it in all its records. */
type Answer = UsageEntry & { readonly key: string; readonly tokens: Tokens };

/** The place of what no turn has for certain, because it follows a damaged line. */
export const UNSURE = -1;

/** What the answers of each turn used; 0 is before the first turn. A turn without answers has no entry. */
export type TurnCharges = readonly (readonly Charge[] | undefined)[];

interface UsageFacts {
  readonly answers?: number;
  /** In UTC. */
  readonly day?: string | undefined;
  /** What it cost according to the program. */
  readonly stored?: StoredCost | undefined;
  /** The size of the requests, if these are several answers; see `Charge`. */
  readonly above?: number | undefined;
  /** The requests of which the answer consists, if these are several. */
  readonly requests?: readonly Request[] | undefined;
  /** The log only has some of the tokens. */
  readonly isPartial?: boolean | undefined;
  /** The subagent that gave the answer, if its records are in the log of its session. */
  readonly by?: string | undefined;
}

type UsageOfTurn = Pick<UsageFacts, 'day' | 'stored' | 'requests'> & {
  /** The tokens may be those of an earlier turn. */
  readonly isUnsure?: boolean;
};

/** The models and tokens that a session used, and what says that the log lacks some. */
export class SessionUsage {
  readonly #answers = new Map<string, Answer>();
  readonly #byTurn = new Map<string, { readonly charges: readonly Charge[]; readonly turn: number }>();
  /** The turns of requests whose tokens are not counted, by the keys of the requests. */
  readonly #uncounted = new Map<string, number>();
  /** What the log says of itself and of other logs of the run, by the key of its entry. */
  readonly #logs = new Map<string, EntryWithoutTokens>();
  #isRequested = false;
  /** The turns that may have had an answer whose tokens no turn has for certain. */
  readonly #incomplete = new Set<number>();
  #recorded = 0;
  /** Models that the answers which count may not name, with the number of answers. */
  readonly #models = new Map<string, number>();
  readonly #turnNow: () => number;

  /** `turnNow`: the number of the current turn; {@link UNSURE} if nobody knows which one it is. */
  constructor(turnNow: () => number) {
    this.#turnNow = turnNow;
  }

  /**
   * Adds the tokens of an answer. The last one with the same key counts; a model that only an earlier one names is not
   * forgotten.
   */
  add(key: string, model: string, tokens: Tokens, { answers = 1, ...facts }: UsageFacts = {}): void {
    const before = this.#answers.get(key)?.model;
    if (before !== model) this.model(before, 0);
    this.#answers.set(key, { key, model, tokens, answers, ...defined(facts) });
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

  /** Whether the model answered, and no record has tokens, nor says that some are missing. */
  get lacksAll(): boolean {
    return this.#isRequested && this.#answers.size === 0 && this.#uncounted.size === 0;
  }

  /** The entries without tokens, with their keys. */
  get withoutTokens(): (readonly [key: string, entry: EntryWithoutTokens])[] {
    const requests = Array.from(
      this.#uncounted.keys(),
      (key) => [`request ${key}`, { isUncounted: true }] as const,
    );
    return [...requests, ...this.#logs];
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

  /** Keeps the tokens that a record states for an answer of the current turn. A repeated key keeps its turn. */
  used(
    key: string,
    model: string,
    tokens: Tokens,
    {
      day,
      stored,
      requests = [{ above: sizeOf(tokens, true), tokens, stored }],
      isUnsure = false,
    }: UsageOfTurn,
  ): void {
    const charges = requests.map((request) => ({ model, day, ...request }));
    const now = this.#turnNow();
    const turn = this.#byTurn.get(key)?.turn ?? (isUnsure ? UNSURE : now);
    this.#byTurn.set(key, { charges, turn });
    // The turn may have had an answer whose tokens no turn has for certain.
    if (isUnsure) for (const one of [now - 1, now]) this.#incomplete.add(one);
  }

  /** The program sent a request to the model, whose tokens are not counted. Equal keys count once. */
  uncounted(key: string, turn = this.#turnNow()): void {
    if (!this.#uncounted.has(key)) this.#uncounted.set(key, turn);
  }

  /** Takes back that the tokens of a request are not counted: a later record has them. */
  counted(key: string): void {
    this.#uncounted.delete(key);
  }

  /** The model answered. A log that has no tokens at all then lacks those of a request. */
  requested(): void {
    this.#isRequested = true;
  }

  /** The content of a record could not be read. */
  unread(line: number): void {
    this.#logs.set(`unread line ${line}`, { isUnread: true });
  }

  /** The session started a subagent that has a separate log. */
  started(agent: string): void {
    this.#logs.set(`start of ${agent}`, { started: agent });
  }

  /** The log has the records of a subagent. */
  recordsOf(agent: string): void {
    this.#logs.set(`log of ${agent}`, { agent });
  }

  /** The log has these records of a session, which further logs of it number on. */
  numbered(numbers: NumberedRecords): void {
    this.#logs.set(`numbers of ${numbers.session} ${numbers.from}`, { numbers });
  }

  /** The log goes on with a session after a record of an earlier log. */
  goesOnFrom(session: string, number: number): void {
    this.#logs.set(`goes on from ${session} ${number}`, { goesOnFrom: { session, number } });
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
