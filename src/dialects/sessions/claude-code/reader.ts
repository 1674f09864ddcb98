import type { JsonObject } from '../../../base/json/value.ts';
import { largest } from '../../../base/text/largest.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { requestsOf } from '../../kit/charges.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { countIn, dayOf, plusTokens, type Tokens, tokensIn, totalTokens } from '../../kit/tokens.ts';
import { SessionBuilder } from '../kit/builder.ts';
import { MissingParents } from '../kit/missing-parents.ts';
import type { SessionReader } from '../kit/reader.ts';
import { SeenRecords } from '../kit/seen-records.ts';
import type { Moment, SessionDocument, SessionOutline, TurnStatus, UsageEntry } from '../kit/session.ts';
import type { SessionStory } from '../kit/story.ts';
import type { TurnCharges } from '../kit/usage.ts';
import { type Answer, Answers } from './answers.ts';
import { Branches } from './branch.ts';
import { TranscriptCalls } from './calls.ts';
import { CostStates } from './cost-states.ts';
import {
  apiErrorIn,
  callBlocks,
  incompleteIn,
  isInterruption,
  isPrompt,
  isStopgap,
  kindOf,
  markedOrigin,
  NO_MODEL,
  resultBlocks,
  seenAs,
  seenShortenedAs,
  textOfMessage,
  thinkingIn,
} from './records.ts';
import { SaidTexts } from './said-texts.ts';

/** The tokens of an answer. Its input excludes cached tokens (claude-code.md §7). */
const NAMES = {
  input: 'input_tokens',
  cached: 'cache_read_input_tokens',
  cache_write: 'cache_creation_input_tokens',
  output: 'output_tokens',
} as const;

/** The tokens in a usage, or in one of its iterations. */
function tokensOf(usage: JsonObject): Tokens {
  const tokens = tokensIn(usage, NAMES);
  const kept = countIn(usage['cache_creation'], 'ephemeral_1h_input_tokens');
  return kept === 0 ? tokens : { ...tokens, cache_write_1h: Math.min(kept, tokens.cache_write) };
}

/** The members that name the session, with their ranks. The last one of the highest rank counts. */
const TITLES = {
  'ai-title': ['aiTitle', 1],
  'agent-name': ['agentName', 2],
  'custom-title': ['customTitle', 3],
} as const;

/** Returns the session from which the record on a line was copied; undefined if it was not. */
type OriginOfLine = (event: JsonObject, line: number) => string | undefined;

/** Builds a session from a transcript (claude-code.md §5 to §7). */
export class TranscriptReader implements SessionReader {
  readonly #session: SessionBuilder;
  readonly #originOf: OriginOfLine;
  readonly #seen = new SeenRecords();
  /** The shortened results. A list reads the end of a log whole, where they may come again. */
  readonly #shortened = new Set<string>();
  readonly #branches: Branches | undefined;
  readonly #parents = new MissingParents();
  /** The ids of the prompts, one for each turn. */
  readonly #prompts: (string | undefined)[] = [];
  readonly #said = new SaidTexts();
  readonly #answers = new Answers();
  readonly #costs = new CostStates();
  readonly #calls: TranscriptCalls;
  /** The answers that have a record from their end. */
  readonly #finished = new Set<string>();
  /** Whether the log has records of subagents, as in older versions. Then they have no other logs. */
  #hasAsides = false;
  /** The answer that the record belongs to. */
  #part: Answer | undefined;
  /** Whether the log belongs to a subagent, according to its first message. */
  #isAgents: boolean | undefined;
  /** The line of the usage record that ends a run; undefined if a message follows it. */
  #closedOn: number | undefined;
  /** The time of the last message. */
  #lastSaid: string | undefined;

  /** `story`: collect texts too. `isOutline`: nobody asks which turns were taken back. */
  constructor(story?: SessionStory, isOutline = false, originOf: OriginOfLine = markedOrigin) {
    this.#originOf = originOf;
    this.#session = new SessionBuilder(story, true);
    this.#calls = new TranscriptCalls(this.#session);
    this.#branches = isOutline ? undefined : new Branches();
  }

  add(event: JsonObject, line: number): void {
    const at: Moment = { line, time: textIn(event, 'timestamp') };
    const { type, isSidechain } = event;
    this.#branches?.add(event, line);
    if (this.#isAgain(event, at)) return;
    this.#part = this.#answers.add(event, line);
    const origin = this.#originOf(event, line);
    if (origin !== undefined) {
      this.#session.facts.copied(line);
      this.#session.facts.about('forked_from', origin);
      if (this.#part !== undefined) this.#part.isCopied = true;
    }
    const gap = this.#parents.next(textIn(event, 'uuid'), textIn(event, 'parentUuid'));
    if (type === 'user' || type === 'assistant') {
      this.#lastSaid = at.time ?? this.#lastSaid;
      this.#isAgents ??= isSidechain === true;
      this.#closedOn = undefined;
    } else if (type === 'cost-state') {
      this.#closedOn = line;
      this.#costs.add(event);
    }
    this.#about(event);
    // In older versions, subagents are in the log of the session. Their texts are not turns of the session.
    if (isSidechain === true && this.#isAgents === false) {
      if (gap) this.#session.gapAside(gap);
      this.#aside(event, at);
      return;
    }
    if (gap) this.#session.gap(gap, at.time);
    if (isPrompt(event) && !this.#said.isAgain('prompt', textOfMessage(event), at.time))
      this.#prompt(event, at);
    this.#session.moment(at);
    if (type === 'assistant') this.#answer(event, at);
    else if (type === 'user') this.#user(event, at);
    else this.#side(event, at);
    this.#calls.notified(event, at);
  }

  /** Whether the record was written before, whole or shortened. */
  #isAgain(event: JsonObject, { time }: Moment): boolean {
    const [id, short] = [seenAs(event), seenShortenedAs(event)];
    if (this.#seen.isAgain(id, time)) return true;
    if (short === undefined) return false;
    if (id === short) this.#shortened.add(short);
    else if (this.#shortened.has(short)) return true;
    else this.#seen.isAgain(short, undefined);
    return false;
  }

  lost(): void {
    this.#session.lost();
  }

  document(): SessionDocument {
    this.#takeBack();
    const line = this.#endedOn;
    const document = this.#session.document(line === undefined ? undefined : 'interrupted');
    const session = { ...document.session, ...this.#costs.facts() };
    if (line === undefined) return { ...document, session };
    const why = { kind: 'interrupted', text: 'the program ended before there was an answer', line };
    return { ...document, session, problems: [...document.problems, why] };
  }

  outline(): SessionOutline {
    return this.#session.outline(this.#endedOn === undefined ? undefined : 'interrupted');
  }

  /** The user goes back to an earlier record by a rewind: what came after it is on no branch that continues. */
  #takeBack(): void {
    const live = this.#branches?.live();
    // All records of a subagent are next to the branches of its session.
    if (live === undefined || live.size === 0) return;
    const isLeft = (id: string | undefined) => id !== undefined && !live.has(id);
    this.#session.takenBack(new Set(this.#prompts.flatMap((id, turn) => (isLeft(id) ? [turn] : []))));
  }

  get lastAnswer(): string | undefined {
    return this.#session.lastAnswer;
  }

  turnCharges(): TurnCharges {
    return this.#session.usage.charges();
  }

  answers(): UsageEntry[] {
    this.#start();
    return this.#session.answers();
  }

  /** Adds the subagents with other logs. */
  #start(): void {
    if (!this.#hasAsides) for (const agent of this.#calls.launched) this.#session.usage.started(agent);
  }

  entries(): UsageEntry[] {
    this.#start();
    return this.#session.entries(undefined, this.#endedOn === undefined ? undefined : 'interrupted');
  }

  /** The line on which the program ended before there was an answer. */
  get #endedOn(): number | undefined {
    return this.#session.status === 'open' ? this.#closedOn : undefined;
  }

  #about(event: JsonObject): void {
    const session = this.#session;
    session.facts.about('id', textIn(event, 'sessionId'));
    const agent = textIn(event, 'agentId');
    session.facts.about('agent', agent);
    if (agent !== undefined) session.usage.recordsOf(agent);
    session.facts.about('cwd', textIn(event, 'cwd'));
    session.facts.about('branch', textIn(event, 'gitBranch'));
    session.facts.about('entrypoint', textIn(event, 'entrypoint'));
    session.facts.about('kind', textIn(event, 'sessionKind'));
    session.facts.aboutOneOf('versions', textIn(event, 'version'));
  }

  #prompt(event: JsonObject, at: Moment): void {
    this.#prompts.push(textIn(event, 'uuid'));
    this.#session.prompt(textOfMessage(event) || '(an image)', at);
    this.#session.turnIs('open');
  }

  #answer(event: JsonObject, at: Moment): void {
    if (isStopgap(event)) return;
    const message = objectIn(event, 'message');
    const isError = event['isApiErrorMessage'] === true;
    const [thinking, text] = [thinkingIn(event), textOfMessage(event)];
    const who = textIn(message, 'id') ?? 'answer';
    if (thinking !== '' && !this.#said.isAgain(who, thinking, at.time))
      this.#session.story?.say('thinking', thinking, at);
    if (text === '' || !this.#said.isAgain(who, text, at.time)) {
      if (isError) this.#session.problem('API error', text, at);
      else if (kindOf(event) === 'answer') this.#session.answer(text, at);
    }
    this.#used(event, at);
    const cut = isError ? undefined : incompleteIn(event);
    if (cut === undefined) this.#session.turnIs(this.#after(event, message, isError));
    else this.#stopped(cut, at);
  }

  /** Adds the tokens and calls of an answer. `agent`: the subagent that gave it, whose context is its own. */
  #used(event: JsonObject, at: Moment, agent?: string): void {
    const message = objectIn(event, 'message');
    const model = textIn(message, 'model');
    const isCopied = this.#part?.isCopied === true;
    if (model !== undefined && model !== NO_MODEL && !isCopied) this.#tokens(event, at, model, agent);
    for (const block of callBlocks(event))
      if (this.#part?.takesCall(textIn(block, 'id')) !== false)
        this.#calls.call(event, block, at, { model, agent });
  }

  /**
   * Adds the tokens in a record of an answer. The usage sums up the iterations of the model itself. Others, such as those of
   * an advisor, are only among the iterations.
   */
  #tokens(event: JsonObject, at: Moment, model: string, by: string | undefined): void {
    const usage = objectIn(objectIn(event, 'message'), 'usage');
    const tokens = tokensOf(usage);
    const { key = `line ${at.line}` } = this.#part ?? {};
    const iterations = objectsIn(usage, 'iterations');
    const own = iterations.filter(({ type }) => type === 'message').map(tokensOf);
    const others = iterations.filter(({ type }) => type !== 'message');
    const parts = others.map(tokensOf);
    this.#session.usage.recorded(parts.reduce(plusTokens, tokens));
    if (this.#part?.takes(tokens) === false) return this.#session.usage.model(model, 0);
    const day = dayOf(at.time);
    const requests = own.length < 2 ? undefined : requestsOf(tokens, own);
    const isPartial = this.#isUnfinished(event, key);
    // Some relays do not say how many tokens an answer has.
    if (totalTokens(tokens) === 0 && !isPartial) this.#session.usage.uncounted(key);
    else this.#session.usage.counted(key);
    this.#session.usage.add(key, model, tokens, { day, requests, isPartial, by });
    this.#session.usage.used(key, model, tokens, { day, requests });
    if (by === undefined) this.#session.request(key, own.at(-1) ?? tokens, at);
    for (const [index, one] of parts.entries()) {
      const of = textIn(others[index], 'model') ?? textIn(event, 'advisorModel') ?? model;
      const part = `${key} ${index + 1}`;
      this.#session.usage.add(part, of, one, { day, by, ...(of === model && { answers: 0 }) });
      this.#session.usage.used(part, of, one, { day });
    }
  }

  /** The first records of an answer are written before it ends. None of them has more than the first output tokens. */
  #isUnfinished(event: JsonObject, key: string): boolean {
    if (objectIn(event, 'message')['stop_reason'] !== null) this.#finished.add(key);
    return !this.#finished.has(key);
  }

  #aside(event: JsonObject, at: Moment): void {
    this.#hasAsides = true;
    this.#session.moment(at);
    const agent = this.#calls.writerOf(event, at);
    this.#asideSaid(event, at, agent);
    if (event['type'] === 'assistant') this.#used(event, at, agent);
    for (const block of resultBlocks(event)) this.#calls.result(event, block, at);
  }

  /** Adds the prompt, thinking and texts of a subagent. */
  #asideSaid(event: JsonObject, at: Moment, agent: string): void {
    const { story } = this.#session;
    if (story === undefined) return;
    story.say('thinking', thinkingIn(event), at, agent);
    if (isPrompt(event)) story.say('prompt', textOfMessage(event), at, agent);
    else if (event['type'] === 'assistant') story.say('answer', textOfMessage(event), at, agent);
  }

  /** The status of the turn if this is its last record. */
  #after(event: JsonObject, message: JsonObject, isError: boolean): TurnStatus {
    if (isError) return 'error';
    const { stop_reason: reason } = message;
    if (reason === 'tool_use' || callBlocks(event).length > 0) return 'open';
    if (reason === 'end_turn' || reason === 'stop_sequence') return 'done';
    // Older versions did not write a stop reason.
    return kindOf(event) === 'answer' ? 'done' : 'open';
  }

  #user(event: JsonObject, at: Moment): void {
    for (const block of resultBlocks(event)) this.#calls.result(event, block, at);
    if (isInterruption(event)) this.#stopped(textOfMessage(event), at);
    else if (resultBlocks(event).length > 0) {
      this.#session.turnIs('open');
    }
  }

  #stopped(why: string, at: Moment): void {
    if (!this.#said.isAgain('interrupted', why, at.time)) this.#session.problem('interrupted', why, at);
    this.#session.turnIs('interrupted');
  }

  #side(event: JsonObject, at: Moment): void {
    const { type, subtype } = event;
    const attachment = objectIn(event, 'attachment');
    if (type === 'cost-state' && this.#session.status === 'open') this.#session.stopped(at.time);
    if (type === 'ai-title' || type === 'agent-name' || type === 'custom-title') {
      const [key, rank] = TITLES[type];
      this.#session.facts.title(textIn(event, key), rank, at.line);
    } else if (type === 'pr-link') this.#session.facts.link(textIn(event, 'prUrl'));
    else if (type === 'system' && subtype === 'compact_boundary') {
      if (this.#said.isAgain('compaction', '', at.time)) return;
      this.#session.compaction(at);
      this.#session.compactedFor(numberIn(objectIn(event, 'compactMetadata'), 'durationMs'), at);
      if (!this.#session.facts.isCopy(at))
        this.#session.usage.uncounted(textIn(event, 'uuid') ?? `line ${at.line}`);
    } else if (type === 'system' && subtype === 'turn_duration')
      this.#session.worked(numberIn(event, 'durationMs'));
    else if (type === 'system' && subtype === 'stop_hook_summary') this.#hooks(event, at);
    else if (attachment['type'] === 'max_turns_reached')
      this.#stopped(`the limit of turns was reached: ${numberIn(attachment, 'maxTurns') ?? 'no number'}`, at);
    else {
      const error = apiErrorIn(event);
      if (error !== undefined && !this.#said.isAgain('API error', error, at.time))
        this.#session.problem('API error', excerptOf(error), at);
    }
  }

  /**
   * Hooks ran at the same time after an answer: neither the model nor a tool worked, and it was not idle. Older versions do not
   * say how long.
   */
  #hooks(event: JsonObject, { time }: Moment): void {
    if (this.#session.status === 'open') return;
    const took = objectsIn(event, 'hookInfos').map((hook) => numberIn(hook, 'durationMs'));
    const [from, until] = [parseInstant(this.#lastSaid ?? ''), parseInstant(time ?? '')];
    if (from === undefined || until === undefined) return;
    const longest = largest(took.map((ms = Infinity) => ms));
    this.#session.untold(new Date(Math.max(from, until - longest)).toISOString(), time);
  }
}
