import { parseInstant } from '../time/instant.ts';
import { excerptOf, firstLine } from './excerpt.ts';
import type {
  ResultStatus,
  SessionAgent,
  SessionCall,
  SessionDocument,
  SessionFile,
  SessionProblem,
  SessionTurn,
  TurnStatus,
  UsageEntry,
} from './session.ts';
import type { SessionStory } from './session-story.ts';
import { SessionUsage } from './session-usage.ts';
import { SessionWaits } from './session-waits.ts';
import { type Tokens, totalTokens } from './tokens.ts';

/** A place in a log and its time. */
export interface Moment {
  readonly line: number;
  /** ISO 8601. */
  readonly time?: string | undefined;
}

/** A call at its start. */
export interface NewCall {
  /** Links it to its result. */
  readonly id: string | undefined;
  readonly tool: string;
  /** Shortened, except in the story. */
  readonly input: string;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
}

export interface CallResult {
  readonly status: ResultStatus;
  readonly exitCode?: number | undefined;
  /** The output; for a failure, the error. */
  readonly text?: string | undefined;
  /** Whether a person had to answer or allow it, so that the time until the result was spent waiting. */
  readonly byPerson?: boolean;
}

interface UsageFacts {
  readonly answers?: number;
  /** In UTC. */
  readonly day?: string | undefined;
}

/** Facts about a subagent. Later facts replace earlier ones. */
export type AgentFacts = {
  readonly [Key in Exclude<keyof SessionAgent, 'id' | 'line'>]?: SessionAgent[Key] | undefined;
};

/** Facts about a call that come from another record than its result, and are more accurate. */
interface Correction {
  readonly status?: ResultStatus | undefined;
  readonly exitCode?: number | undefined;
  /** How long the work took. Used if it comes before the result, or if the log has no times. */
  readonly durationMs?: number | undefined;
}

/** A time as stored and as a number. */
interface Stamp {
  readonly time: string;
  readonly instant: number;
}

interface OpenCall {
  readonly call: SessionCall;
  readonly turn: SessionTurn | undefined;
  readonly time: string | undefined;
  /** The time of the result. */
  ended?: string | undefined;
}

/** Tools that ask a person and wait for the answer, under the names of several programs. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'AskUserQuestion',
  'ExitPlanMode',
  'ask_user',
  'ask_user_question',
  'exit_plan_mode',
  'request_user_input',
]);

function between(from: string | undefined, to: string | undefined): number | undefined {
  const [start, end] = [parseInstant(from ?? ''), parseInstant(to ?? '')];
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

/** At most this many problems are kept: the last ones, because they explain the end. */
const MOST_PROBLEMS = 20;

/** Builds a session from what a dialect's reader extracts from its records, in log order. */
export class SessionBuilder {
  readonly #about = new Map<string, string | number | string[]>();
  readonly #turns: SessionTurn[] = [];
  readonly #calls: OpenCall[] = [];
  readonly #open = new Map<string, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  readonly #early = new Map<string, { readonly result: CallResult; readonly at: Moment }>();
  readonly #files = new Map<string, SessionFile>();
  readonly #agents = new Map<string, SessionAgent>();
  readonly #usage = new SessionUsage();
  readonly #waits = new SessionWaits();
  readonly #links = new Set<string>();
  readonly #problems: SessionProblem[] = [];
  #title: { readonly rank: number; readonly text: string } | undefined;
  #first: Stamp | undefined;
  #last: Stamp | undefined;
  /** When the current turn started. */
  #turnBegan: number | undefined;
  /** Whether a new turn was announced whose prompt has not come. */
  #isBetweenTurns = false;
  /** Turns that made a call after their last answer, which is therefore not their final one. */
  readonly #atWork = new Set<SessionTurn>();
  #outcome: { readonly text: string; readonly line: number } | undefined;
  #compactions = 0;
  #status: TurnStatus = 'open';

  /** Collects texts, if requested by the constructor's argument. */
  readonly story: SessionStory | undefined;

  constructor(story?: SessionStory) {
    this.story = story;
  }

  /** Adds a fact about the session. The first value counts. */
  about(name: string, value: string | number | undefined): void {
    if (value !== undefined && !this.#about.has(name)) this.#about.set(name, value);
  }

  /** Adds one of possibly several values of a fact. */
  aboutOneOf(name: string, value: string | undefined): void {
    if (value === undefined) return;
    const known = this.#about.get(name);
    if (!Array.isArray(known)) this.#about.set(name, [value]);
    else if (!known.includes(value)) known.push(value);
  }

  /** Sets the title. A higher rank wins; within a rank the last one. */
  title(text: string | undefined, rank = 0): void {
    if (text !== undefined && rank >= (this.#title?.rank ?? 0)) this.#title = { rank, text: excerptOf(text) };
  }

  /** Extends the session to the time of a record. */
  moment({ time }: Moment): void {
    const instant = parseInstant(time ?? '');
    if (time === undefined || instant === undefined) return;
    if (this.#first === undefined || instant < this.#first.instant) this.#first = { time, instant };
    if (this.#last === undefined || instant > this.#last.instant) this.#last = { time, instant };
    // Records after the end of a turn, such as leaving the program hours later, do not extend it.
    if (this.#turn?.status === 'open') this.#lastsUntil(instant);
  }

  /** Extends the current turn at least to this time. */
  #lastsUntil(instant: number | undefined): void {
    const [turn, began] = [this.#turn, this.#turnBegan];
    if (turn && instant !== undefined && began !== undefined && instant >= began)
      turn.duration_ms = Math.max(instant - began, turn.duration_ms ?? 0);
  }

  /** Starts another turn. Its prompt may come before or after this. */
  turnBegins(): void {
    const turn = this.#turn;
    if (turn === undefined || (turn.status === 'open' && turn.calls === 0 && turn.answer === undefined))
      return;
    if (turn.status === 'open') turn.status = 'interrupted';
    this.#isBetweenTurns = true;
  }

  prompt(text: string, { line, time }: Moment): void {
    const started = time === undefined ? {} : { time };
    this.#isBetweenTurns = false;
    this.#turnBegan = parseInstant(time ?? '');
    this.#turns.push({ line, ...started, prompt: excerptOf(text), calls: 0, failed: 0, status: 'open' });
    this.story?.turn(text, { line, time });
  }

  answer(text: string, { line, time }: Moment): void {
    if (text.trim() === '') return;
    this.#outcome = { text: excerptOf(text), line };
    this.story?.say('answer', text, { line, time });
    const turn = this.#turnAtWork();
    if (turn === undefined) return;
    turn.answer = this.#outcome.text;
    this.#atWork.delete(turn);
    this.#lastsUntil(parseInstant(time ?? ''));
  }

  /** The status of the session so far. */
  get status(): TurnStatus {
    return this.#status;
  }

  /** Sets the status of the session and of its current turn. */
  turnIs(status: TurnStatus): void {
    this.#status = status;
    if (this.#turn) this.#turn.status = status;
  }

  /** The user took back the last `count` turns. */
  rollBack(count: number): void {
    const left = this.#turns.filter((turn) => turn.rolled_back === undefined);
    for (const turn of count > 0 ? left.slice(-count) : []) turn.rolled_back = true;
  }

  /** Marks the turns at these places, from 0, as taken back, and all others as not. */
  takenBack(places: ReadonlySet<number>): void {
    for (const [place, turn] of this.#turns.entries())
      if (places.has(place)) turn.rolled_back = true;
      else delete turn.rolled_back;
  }

  call({ id, tool, input, model, agent }: NewCall, { line, time }: Moment): void {
    const call: SessionCall = {
      line,
      ...(id !== undefined && { id }),
      tool,
      input: excerptOf(input),
      ...(model !== undefined && { model }),
      ...(agent !== undefined && { agent }),
      status: 'open',
    };
    this.story?.call(call, input, time);
    const turn = this.#turnAtWork();
    const open: OpenCall = { call, turn, time };
    this.#calls.push(open);
    if (turn) {
      turn.calls += 1;
      this.#atWork.add(turn);
    }
    if (id === undefined) return;
    this.#open.set(id, open);
    this.#byId.set(id, open);
    const early = this.#early.get(id);
    if (early) this.result(id, early.result, early.at);
  }

  /** Adds the result of a call. A result without a call is ignored. */
  result(id: string | undefined, result: CallResult, at: Moment): void {
    if (id === undefined) return;
    const found = this.#open.get(id);
    if (found === undefined) {
      // With several writers, a result may come before its call.
      this.#early.set(id, { result, at });
      return;
    }
    this.#open.delete(id);
    found.ended = at.time;
    const { call, turn, time } = found;
    const { status, exitCode, text, byPerson = false } = result;
    if (text !== undefined) this.story?.output(call, text);
    if (exitCode !== undefined) call.exit_code = exitCode;
    // A tool may succeed although the command it ran failed.
    const failed = status === 'ok' && call.exit_code !== undefined && call.exit_code !== 0;
    call.status = failed ? 'error' : status;
    call.result_line = at.line;
    const took = call.duration_ms ?? between(time, at.time);
    if (took !== undefined) call.duration_ms = took;
    if (byPerson || QUESTIONS.has(call.tool)) this.asked(id, time, at.time);
    if (call.status === 'ok') return;
    if (text !== undefined && text.trim() !== '') call.error = firstLine(text);
    if (turn) turn.failed += 1;
  }

  /** Corrects a call whose result exists or will follow. */
  correct(id: string, { status, exitCode, durationMs }: Correction): void {
    const found = this.#byId.get(id);
    // An interruption is certain. The exit code of a killed process adds nothing to it.
    if (found === undefined || found.call.status === 'interrupted') return;
    const { call, turn } = found;
    if (exitCode !== undefined) call.exit_code = exitCode;
    if (durationMs !== undefined) call.duration_ms ??= durationMs;
    if (status === undefined || call.status === 'open' || status === call.status) return;
    if (turn) turn.failed += (status === 'ok' ? 0 : 1) - (call.status === 'ok' ? 0 : 1);
    call.status = status;
    if (status === 'ok') delete call.error;
  }

  /** A person was asked about a call at one time and answered at another. */
  asked(id: string, asked: string | undefined, answered: string | undefined): void {
    const found = this.#byId.get(id);
    const waited = this.#waits.asked(found ? found.turn : this.#turn, asked, answered);
    if (found && waited !== undefined) found.call.waited_ms = (found.call.waited_ms ?? 0) + waited;
  }

  /** Notes a file that was written. */
  file(path: string, { line }: Moment): void {
    const known = this.#files.get(path);
    if (known === undefined) this.#files.set(path, { path, edits: 1, line });
    else {
      known.edits += 1;
      known.line = line;
    }
  }

  /** Adds facts about a subagent. */
  agent(id: string, facts: AgentFacts, { line }: Moment): void {
    const known = this.#agents.get(id) ?? { id, line };
    const said = Object.entries(facts).filter(([, value]) => value !== undefined);
    this.#agents.set(id, Object.assign(known, Object.fromEntries(said)));
  }

  /** Adds the tokens of an answer. The last one with the same key counts. */
  usage(key: string, model: string, tokens: Tokens, { answers = 1, day }: UsageFacts = {}): void {
    this.#usage.add({ key, model, tokens, answers, ...(day !== undefined && { day }) });
  }

  /** Keeps the tokens that a record states for an answer of the current turn. */
  used(key: string, tokens: Tokens): void {
    this.#usage.inTurn(key, tokens, this.#turns.length);
  }

  /** Adds the tokens of a record that may be repeated in others. */
  recorded(tokens: Tokens): void {
    this.#usage.recorded(tokens);
  }

  /** Drops the tokens so far, which were copied from another session. */
  forgetUsage(): void {
    this.#usage.forgetTurns();
  }

  model(name: string | undefined): void {
    this.#usage.model(name);
  }

  compaction(at: Moment): void {
    this.#compactions += 1;
    this.story?.divider('compaction', '', at);
  }

  link(url: string | undefined): void {
    if (url !== undefined) this.#links.add(url);
  }

  problem(kind: string, text: string, { line, time }: Moment): void {
    this.#problems.push({ kind, text: firstLine(text), line });
    this.story?.divider(kind, text, { line, time }, kind !== 'interrupted');
    if (this.#problems.length > MOST_PROBLEMS) this.#problems.shift();
  }

  /** Answers and calls for statistics. `owner` makes keys unique. */
  entries(owner?: string): UsageEntry[] {
    const [fallback = 'unknown'] = this.#usage.models();
    const calls = this.#calls.map((one) => {
      const call = this.#settled(one);
      const { id, model = fallback, tool } = call;
      return { key: id, model, tool, call, time: one.ended ?? one.time };
    });
    return [...this.#usage.entries(owner), ...calls];
  }

  /** The session so far. `status` replaces the status of the last turn. */
  document(status: TurnStatus = this.#status): SessionDocument {
    this.#status = status;
    const tokens = this.#usage.tokens();
    const turn = this.#turn;
    if (turn) turn.status = status;
    for (const one of this.#turns.slice(0, -1))
      if (one.status === 'open')
        one.status = one.answer === undefined || this.#atWork.has(one) ? 'interrupted' : 'done';
    const counts = Object.values(tokens);
    const calls = this.#calls.map((one) => this.#settled(one));
    const lost = new Map<SessionTurn | undefined, number>();
    this.#calls.forEach(({ turn }, index) => {
      if (calls[index]?.status === 'no result') lost.set(turn, (lost.get(turn) ?? 0) + 1);
    });
    return {
      session: Object.fromEntries(this.#about),
      ...(this.#title !== undefined && { title: this.#title.text }),
      ...(this.#turns[0] !== undefined && { task: this.#turns[0].prompt }),
      status,
      ...(this.#first !== undefined && { started_at: this.#first.time }),
      ...(this.#last !== undefined && { ended_at: this.#last.time }),
      ...this.#waits.result(this.#turns),
      ...this.#usage.result(this.#turns),
      turns: this.#turns.map((turn) => ({ ...turn, failed: turn.failed + (lost.get(turn) ?? 0) })),
      calls,
      files: [...this.#files.values()],
      agents: [...this.#agents.values()],
      models: this.#usage.models(),
      tokens,
      ...(counts.length > 0 && { total_tokens: counts.reduce((sum, one) => sum + totalTokens(one), 0) }),
      compactions: this.#compactions,
      links: [...this.#links],
      problems: this.#problems,
      ...(this.#outcome !== undefined && { outcome: this.#outcome.text, outcome_line: this.#outcome.line }),
    };
  }

  /**
   * The final form of a call: without a result after the end of its turn or run, it has the status `no
   * result`.
   */
  #settled({ call, turn }: OpenCall): SessionCall {
    const isOver = this.#status !== 'open' || (turn !== undefined && turn.status !== 'open');
    // Without an id, a result would not be recognised.
    return call.status === 'open' && call.id !== undefined && isOver
      ? { ...call, status: 'no result' }
      : call;
  }

  get #turn(): SessionTurn | undefined {
    return this.#isBetweenTurns ? undefined : this.#turns.at(-1);
  }

  /** The turn of an answer or call. Without a new prompt, it continues the previous turn. */
  #turnAtWork(): SessionTurn | undefined {
    this.#isBetweenTurns = false;
    return this.#turn;
  }
}
