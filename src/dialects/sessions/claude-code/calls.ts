import type { JsonObject } from '../../../base/json/value.ts';
import { inputText } from '../../kit/call-input.ts';
import { changesOfArguments } from '../../kit/file-change.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import type { SessionBuilder } from '../kit/builder.ts';
import type { NewCall } from '../kit/calls.ts';
import type { Moment, ResultStatus } from '../kit/session.ts';
import { changesIn, filesIn } from './changes.ts';
import { exitCodeIn, notificationIn, resultText, statusOfResult, wasRefused } from './records.ts';
import { Sidechains, type StartingCall } from './sidechains.ts';

/** Tools that write the file in their arguments. */
const WRITERS: ReadonlySet<unknown> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** Tools that start a subagent: the new name and the old one. */
const AGENT_TOOLS: ReadonlySet<unknown> = new Set(['Agent', 'Task']);

/** The calls of a transcript, with the files that they write and the subagents that they start. */
export class TranscriptCalls {
  readonly #session: SessionBuilder;
  /** The calls that start subagents, by id. */
  readonly #agents = new Map<string, StartingCall>();
  readonly #sidechains = new Sidechains();
  /** The ids of subagents that records in the log of the session name. */
  readonly #inLog = new Set<string>();
  /** The calls that write a file, until their result. */
  readonly #written = new Map<
    string,
    { readonly path: string; readonly input: JsonObject; readonly at: Moment }
  >();
  /** The subagents that calls of this session started. Notifications about other tasks are ignored. */
  readonly launched = new Set<string>();

  constructor(session: SessionBuilder) {
    this.#session = session;
  }

  /** The subagent that wrote a record in the log of its session. */
  writerOf(event: JsonObject, at: Moment): string {
    const own = textIn(event, 'agentId');
    if (own !== undefined) {
      this.#inLog.add(own);
      return own;
    }
    const { agent, isNew } = this.#sidechains.writerOf(event, at.line);
    if (!isNew) return agent;
    const { id, line = at.line, name, description } = this.#sidechains.callOf(agent) ?? {};
    this.#session.facts.agent(agent, { name, description, status: 'open', call: id }, { line });
    return agent;
  }

  /** A call in an answer. `model`: of the answer. `agent`: the subagent that gave the answer in the log of its session. */
  call(
    event: JsonObject,
    block: JsonObject,
    at: Moment,
    { model, agent = textIn(event, 'agentId') }: Pick<NewCall, 'model' | 'agent'>,
  ): void {
    const [id, tool] = [textIn(block, 'id'), textIn(block, 'name') ?? 'tool'];
    const input = objectIn(block, 'input');
    this.#session.call({ id, tool, input: inputText(input), given: block['input'], model, agent }, at);
    const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path');
    if (WRITERS.has(tool) && path !== undefined && id !== undefined)
      this.#written.set(id, { path, input, at });
    if (!AGENT_TOOLS.has(tool) || id === undefined) return;
    const started: StartingCall = {
      id,
      line: at.line,
      name: textIn(input, 'subagent_type'),
      description: textIn(input, 'description'),
      prompt: textIn(input, 'prompt') ?? '',
    };
    this.#agents.set(id, started);
    this.#sidechains.started(started);
  }

  /** A result, with the file that its call wrote and the subagent that it started. */
  result(event: JsonObject, block: JsonObject, at: Moment): void {
    const id = textIn(block, 'tool_use_id');
    const text = resultText(block) || (textIn(event, 'toolUseResult') ?? '');
    const status = statusOfResult(event, block);
    const exitCode = status === 'ok' ? undefined : exitCodeIn(text);
    const byPerson = status === 'denied' && wasRefused(event, block);
    this.#session.result(id, { status, exitCode, text, byPerson }, at);
    const details = objectIn(event, 'toolUseResult');
    if (status === 'ok' && !this.#session.hasCall(id)) this.#wroteWithoutCall(details, at);
    else this.#wrote(id, details, status === 'ok');
    this.#agentOf(id, details, status, at);
  }

  /** Keeps what the result of a call says of the subagent that the call started. */
  #agentOf(id: string | undefined, details: JsonObject, status: ResultStatus, at: Moment): void {
    const { line = at.line, name, description } = this.#agents.get(id ?? '') ?? {};
    if (id !== undefined && this.#sidechains.callOf(id) !== undefined) {
      this.#sidechains.ended(id);
      const how = textIn(details, 'status') ?? (status === 'ok' ? 'completed' : status);
      return this.#session.facts.agent(id, { status: how }, { line });
    }
    const agent = textIn(details, 'agentId');
    if (agent === undefined) return;
    this.launched.add(agent);
    const facts = {
      name,
      description,
      status: textIn(details, 'status'),
      tokens: numberIn(details, 'totalTokens'),
      calls: numberIn(details, 'totalToolUseCount'),
      ...(this.#inLog.has(agent) && { call: id }),
    };
    this.#session.facts.agent(agent, facts, { line });
  }

  /** Keeps what a call wrote, unless it failed. */
  #wrote(id: string | undefined, details: JsonObject, isDone: boolean): void {
    const { story } = this.#session;
    const call = this.#written.get(id ?? '');
    this.#written.delete(id ?? '');
    if (call && isDone) this.#session.file(call.path, call.at);
    if (story === undefined) return;
    const changes = changesIn(details);
    // Results in the log of a subagent have no details.
    const isMissing = changes.length === 0 && isDone;
    story.changes(id, isMissing ? changesOfArguments(call?.input) : changes);
    story.files(id, filesIn(details));
  }

  /** Keeps what a call wrote whose record is lost, and whose result says it all the same. */
  #wroteWithoutCall(details: JsonObject, at: Moment): void {
    const changes = changesIn(details);
    if (changes.length === 0) return;
    for (const { path } of changes) this.#session.file(path, at);
    this.#session.story?.lostEdit(changes, at);
  }

  /** What a notification says about a subagent. */
  notified(event: JsonObject, at: Moment): void {
    const notification = notificationIn(event);
    if (notification === undefined || !this.launched.has(notification.task)) return;
    const { task, ...facts } = notification;
    this.#session.facts.agent(task, facts, at);
  }
}
