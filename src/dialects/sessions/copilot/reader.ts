import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { inputText } from '../../kit/call-input.ts';
import { changesOfArguments, changesOfPatch, type FileChange } from '../../kit/file-change.ts';
import { messageText, numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import {
  countIn,
  dayOf,
  NO_TOKENS,
  plusTokens,
  type Tokens,
  tokensIn,
  withoutCache,
} from '../../kit/tokens.ts';
import { SessionBuilder } from '../kit/builder.ts';
import { MissingParents } from '../kit/missing-parents.ts';
import type { SessionReader } from '../kit/reader.ts';
import type { Moment, SessionDocument, SessionOutline, UsageEntry } from '../kit/session.ts';
import { whyIncomplete } from '../kit/stop-reason.ts';
import type { SessionStory } from '../kit/story.ts';
import type { TurnCharges } from '../kit/usage.ts';
import {
  againIn,
  copiesIn,
  dataOf,
  exitCodeOf,
  isPrompt,
  outcomeOf,
  requestsOf,
  resultText,
  statusOf,
  toolOrModel,
} from './records.ts';

/** The file changes of a successful call, from its arguments (copilot.md §4). Empty if the call only read. */
function changesIn(given: JsonValue | undefined): FileChange[] {
  if (typeof given === 'string') return changesOfPatch(given);
  const patch = textIn(given, 'patch') ?? textIn(given, 'input');
  return patch === undefined ? changesOfArguments(given) : changesOfPatch(patch);
}

/** The tokens in a record. The input includes cached tokens (copilot.md §6). */
const NAMES = {
  input: 'inputTokens',
  cached: 'cacheReadTokens',
  cache_write: 'cacheWriteTokens',
  output: 'outputTokens',
  reasoning: 'reasoningTokens',
} as const;
const tokensOf = (usage: JsonObject): Tokens => withoutCache(tokensIn(usage, NAMES));

/** Tools that write the file in their arguments, for versions that do not list edited files. */
const WRITERS: ReadonlySet<unknown> = new Set(['create', 'edit', 'str_replace', 'apply_patch']);

/** Results of permissions that a rule, a policy or a hook decided. */
const NOBODY_ASKED = /could-not-request-from-user|by-(?:rule|policy|hook)/;

interface ModelUse {
  /** The input tokens are not known. */
  isPartial?: boolean;
  tokens: Tokens;
  requests: number;
}

/** Usage per model. Shutdowns report it; after the last one, single records are added up (copilot.md §6). */
class Usage {
  #reported = new Map<string, ModelUse>();
  #since = new Map<string, ModelUse>();

  request(usage: JsonObject): void {
    const model = textIn(usage, 'model');
    if (model !== undefined) add(this.#since, model, { tokens: tokensOf(usage), requests: 1 });
  }

  /** Whether a shutdown counts the whole session; those of older versions count since the last resume. */
  static isOfAll(data: JsonObject): boolean {
    return numberIn(data, 'eventsFileSizeBytes') !== undefined;
  }

  shutdown(data: JsonObject): void {
    const inside = objectIn(data, 'modelMetrics');
    const metrics =
      Object.keys(inside).length > 0
        ? inside
        : objectIn(objectIn(data, 'accountingSnapshot'), 'modelMetrics');
    // A version that records the length of the log counts the whole session.
    if (Usage.isOfAll(data)) this.#reported = new Map();
    this.#since = new Map();
    for (const [model, reported] of Object.entries(metrics)) {
      const requests = numberIn(objectIn(reported, 'requests'), 'count') ?? 0;
      add(this.#reported, model, { tokens: tokensOf(objectIn(reported, 'usage')), requests });
    }
  }

  /** Whether there are records of the requests since the last shutdown. */
  get hasRecords(): boolean {
    return this.#since.size > 0;
  }

  result(): Map<string, ModelUse> {
    const sum = new Map<string, ModelUse>();
    for (const part of [this.#reported, this.#since]) for (const [model, use] of part) add(sum, model, use);
    return sum;
  }
}

function add(to: Map<string, ModelUse>, model: string, { tokens, requests, isPartial }: ModelUse): void {
  const sum = to.get(model) ?? { tokens: NO_TOKENS, requests: 0 };
  to.set(model, sum);
  if (isPartial) sum.isPartial = true;
  sum.requests += requests;
  sum.tokens = plusTokens(sum.tokens, tokens);
}

/** Builds a session from its events (copilot.md §4 to §6). */
export class EventsReader implements SessionReader {
  readonly #session: SessionBuilder;
  readonly #usage = new Usage();
  readonly #isAgain = againIn();
  readonly #timesOfCopy = copiesIn();
  readonly #parents = new MissingParents();
  /** The files that calls will write, by call id. */
  readonly #writes = new Map<string, string>();
  readonly #written = new Set<string>();
  /** The arguments of calls that wait for a result, if texts are collected. */
  readonly #arguments = new Map<string, JsonValue | undefined>();
  /** When each permission was requested, by request id. */
  readonly #permissions = new Map<string, string | undefined>();
  /** What records say about single requests that no shutdown has reported yet, by message or line. */
  readonly #unreported = new Map<string, ModelUse & { readonly model: string; readonly resumes: number }>();
  #id: string | undefined;
  #resumes = 0;
  /** Why the answer that follows is incomplete. The record of its request comes first. */
  #cut: string | undefined;
  /** Whether the last answer requested calls, so that its turn is not over. */
  #hasRequests = false;
  #isClosed = false;

  /** `story`: collect texts too. */
  constructor(story?: SessionStory) {
    this.#session = new SessionBuilder(story);
  }

  add(event: JsonObject, line: number): void {
    if (this.#isAgain(event)) return;
    const at: Moment = { line, time: textIn(event, 'timestamp') };
    const data = dataOf(event);
    if (this.#timesOfCopy(event)) this.#session.facts.copied(line);
    const gap = this.#parents.next(textIn(event, 'id'), textIn(event, 'parentId'));
    if (gap) {
      this.#session.gap(gap, at.time);
      // The missing record may be an answer that requested calls.
      this.#hasRequests = true;
    }
    if (isPrompt(event)) {
      this.#session.prompt(textIn(data, 'content') ?? messageText(data['content']), at);
      this.#session.turnIs('open');
    }
    const type = textIn(event, 'type') ?? '';
    if (type === 'session.resume') this.#session.restarted(at.time);
    this.#session.moment(at);
    this.#isClosed = type === 'session.shutdown';
    if (type.startsWith('session.')) this.#about(type, data, at);
    else if (type.startsWith('tool.')) this.#tool(type, event, data, at);
    else if (type.startsWith('permission.')) this.#permission(type, data, at);
    else if (type.startsWith('subagent.')) this.#subagent(type, event, data, at);
    else this.#conversation(type, event, data, at);
  }

  lost(): void {
    this.#session.lost();
  }

  outline(): SessionOutline {
    this.#count();
    return this.#session.outline();
  }

  /** Adds the tokens so far. Sums that were added before are replaced. */
  #count(): void {
    for (const [model, { tokens, requests, isPartial }] of this.#use())
      this.#session.usage.add(model, model, tokens, { answers: requests, isPartial });
  }

  document(): SessionDocument {
    this.#count();
    const document = this.#session.document();
    const session = {
      ...document.session,
      closed: this.#isClosed ? 'yes' : 'no',
      ...(this.#resumes > 0 && { resumes: this.#resumes }),
    };
    return { ...document, session };
  }

  get lastAnswer(): string | undefined {
    return this.#session.lastAnswer;
  }

  turnCharges(): TurnCharges {
    return this.#session.usage.charges();
  }

  entries(): UsageEntry[] {
    this.#count();
    return this.#session.entries(this.#id ?? 'unknown');
  }

  answers(): UsageEntry[] {
    this.#count();
    return this.#session.answers(this.#id ?? 'unknown');
  }

  /** The reported usage. For what a killed program did not report, the lengths that answers have, and compactions. */
  #use(): Map<string, ModelUse> {
    const reported = this.#usage.result();
    if (this.#usage.hasRecords) return reported;
    for (const { model, ...use } of this.#unreported.values()) add(reported, model, use);
    return reported;
  }

  #unreportedRequest(key: string, model: string, use: ModelUse): void {
    this.#unreported.set(key, { model, resumes: this.#resumes, ...use });
  }

  #about(type: string, data: JsonObject, at: Moment): void {
    const session = this.#session;
    // What a copied record used counts in the session that it was copied from.
    const isCopy = session.facts.isCopy(at);
    if (type === 'session.start') {
      this.#id = textIn(data, 'sessionId');
      const context = objectIn(data, 'context');
      session.facts.about('id', this.#id);
      session.facts.about('cwd', textIn(context, 'cwd'));
      session.facts.about('branch', textIn(context, 'branch'));
      session.facts.about('repository', textIn(context, 'repository'));
      session.facts.aboutOneOf('versions', textIn(data, 'copilotVersion'));
    } else if (type === 'session.resume') this.#resumes += isCopy ? 0 : 1;
    else if (type === 'session.usage_record') {
      if (isCopy) return;
      const usage = objectIn(data, 'usage');
      this.#usage.request(usage);
      this.#cut = whyIncomplete(usage['finishReason']);
      const model = textIn(usage, 'model') ?? 'unknown';
      const [key, tokens] = [`line ${at.line}`, tokensOf(usage)];
      session.usage.used(key, model, tokens, { day: dayOf(at.time) });
      session.request(key, tokens, at);
    } else if (type === 'session.compaction_complete') {
      session.compaction(at);
      const usage = objectIn(data, 'compactionTokensUsed');
      session.compactedFor(numberIn(usage, 'duration'), at);
      const model = textIn(usage, 'model');
      if (model !== undefined && !isCopy)
        this.#unreportedRequest(`line ${at.line}`, model, { tokens: tokensOf(usage), requests: 1 });
    } else if (type === 'session.error') {
      session.problem('error', textIn(data, 'message') ?? textIn(data, 'errorType') ?? 'no message', at);
      this.#session.turnIs('error');
    } else if (type === 'session.warning')
      session.problem('warning', textIn(data, 'message') ?? 'no message', at);
    else if (type === 'session.info' && data['infoType'] === 'fork')
      session.facts.about('fork', textIn(data, 'message'));
    else if (type === 'session.shutdown') this.#shutdown(data, at);
  }

  #shutdown(data: JsonObject, at: Moment): void {
    if (!this.#session.facts.isCopy(at)) this.#usage.shutdown(data);
    for (const [key, { resumes }] of this.#unreported)
      if (Usage.isOfAll(data) || resumes === this.#resumes) this.#unreported.delete(key);
    if (this.#session.status === 'open') this.#session.stopped(at.time);
    const snapshot = { ...objectIn(data, 'accountingSnapshot'), ...data };
    const { filesModified } = objectIn(snapshot, 'codeChanges');
    for (const path of Array.isArray(filesModified) ? filesModified : [])
      if (typeof path === 'string' && !this.#written.has(path)) this.#file(path, at);
    if (data['shutdownType'] === 'error') {
      this.#session.failed('error', textIn(data, 'errorReason'), 'the session ended with an error', at);
      this.#session.turnIs('error');
    } else this.#session.ended();
  }

  #conversation(type: string, event: JsonObject, data: JsonObject, at: Moment): void {
    const isMain = textIn(event, 'agentId') === undefined;
    if (type === 'assistant.message') {
      const model = textIn(data, 'model');
      this.#session.usage.model(model);
      this.#session.usage.requested();
      const [id, output] = [textIn(data, 'messageId') ?? `line ${at.line}`, countIn(data, 'outputTokens')];
      if (model !== undefined && output > 0 && !this.#session.facts.isCopy(at))
        this.#unreportedRequest(id, model, {
          tokens: { ...NO_TOKENS, output },
          requests: 1,
          isPartial: true,
        });
      const { story } = this.#session;
      const agent = textIn(event, 'agentId');
      story?.say('thinking', textIn(data, 'reasoningText') ?? '', at, agent);
      if (!isMain) return story?.say('answer', textIn(data, 'content') ?? '', at, agent);
      this.#session.answer(textIn(data, 'content') ?? '', at);
      this.#hasRequests = requestsOf(event).length > 0;
      if (this.#cut !== undefined && !this.#hasRequests) {
        this.#session.problem('interrupted', this.#cut, at);
        this.#session.turnIs('interrupted');
      }
      this.#cut = undefined;
    } else if (type === 'abort') {
      this.#session.problem('interrupted', textIn(data, 'reason') ?? 'no reason', at);
      this.#session.turnIs('interrupted');
    } else if (type === 'assistant.turn_start' && isMain) this.#session.turnIs('open');
    else if (type === 'assistant.turn_end' && isMain && this.#session.status === 'open' && !this.#hasRequests)
      this.#session.turnIs('done');
  }

  #tool(type: string, event: JsonObject, data: JsonObject, at: Moment): void {
    const id = textIn(data, 'toolCallId');
    if (type === 'tool.execution_start') {
      const [tool, agent, model] = [
        toolOrModel(event) || 'tool',
        textIn(event, 'agentId'),
        textIn(data, 'model'),
      ];
      const given = data['arguments'];
      this.#session.call({ id, tool, input: inputText(given), given, agent, model }, at);
      const path = textIn(objectIn(data, 'arguments'), 'path');
      if (id !== undefined && path !== undefined && WRITERS.has(tool)) this.#writes.set(id, path);
      if (id !== undefined && this.#session.story !== undefined) this.#arguments.set(id, data['arguments']);
    } else if (type === 'tool.execution_complete') {
      const status = statusOf(data);
      const exitCode = exitCodeOf(data);
      this.#session.result(id, { status: outcomeOf(data), exitCode, text: resultText(data) }, at);
      this.#files(id, data, status === 'ok', at);
      if (status === 'ok') this.#session.story?.changes(id, this.#changesOf(id));
    }
  }

  /** Adds the wait for a permission, unless nobody was asked. */
  #permission(type: string, data: JsonObject, { time }: Moment): void {
    const request = textIn(data, 'requestId') ?? '';
    if (type === 'permission.requested') this.#permissions.set(request, time);
    else if (!NOBODY_ASKED.test(textIn(objectIn(data, 'result'), 'kind') ?? ''))
      this.#session.asked(textIn(data, 'toolCallId') ?? '', this.#permissions.get(request), time);
  }

  #files(id: string | undefined, data: JsonObject, worked: boolean, at: Moment): void {
    const edits = objectsIn(data, 'fileEdits').flatMap((edit) => textIn(edit, 'path') ?? []);
    const written = id === undefined ? undefined : this.#writes.get(id);
    const paths = edits.length > 0 ? edits : worked && written !== undefined ? [written] : [];
    for (const path of paths) this.#file(path, at, id);
  }

  #changesOf(id: string | undefined): FileChange[] {
    const given = this.#arguments.get(id ?? '');
    this.#arguments.delete(id ?? '');
    return changesIn(given);
  }

  #file(path: string, at: Moment, call?: string): void {
    this.#written.add(path);
    this.#session.file(path, at, call);
  }

  #subagent(type: string, event: JsonObject, data: JsonObject, at: Moment): void {
    const id = textIn(event, 'agentId') ?? textIn(data, 'toolCallId');
    if (id === undefined || type === 'subagent.configured') return;
    const status = {
      'subagent.started': 'open',
      'subagent.completed': 'completed',
      'subagent.failed': 'failed',
    }[type];
    const facts = {
      name: textIn(data, 'agentDisplayName') ?? textIn(data, 'agentName'),
      description: textIn(data, 'agentDescription'),
      status,
      tokens: numberIn(data, 'totalTokens'),
      calls: numberIn(data, 'totalToolCalls'),
      call: textIn(data, 'toolCallId'),
    };
    if (status !== undefined) this.#session.facts.agent(id, facts, at);
  }
}
