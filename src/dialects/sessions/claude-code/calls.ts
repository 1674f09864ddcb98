import type { JsonObject } from '../../../base/json/value.ts';
import { inputText } from '../../kit/call-input.ts';
import { changesOfArguments } from '../../kit/file-change.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import type { SessionBuilder } from '../kit/builder.ts';
import type { Moment } from '../kit/session.ts';
import { changesIn, filesIn } from './changes.ts';
import { exitCodeIn, notificationIn, resultText, statusOfResult, wasRefused } from './records.ts';

/** Tools that write the file in their arguments. */
const WRITERS: ReadonlySet<unknown> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** Tools that start a subagent: the new name and the old one. */
const AGENT_TOOLS: ReadonlySet<unknown> = new Set(['Agent', 'Task']);

/** The calls of a transcript, with the files that they write and the subagents that they start. */
export class TranscriptCalls {
  readonly #session: SessionBuilder;
  /** By id of a call that starts a subagent: its line, and what it says about the subagent. */
  readonly #agents = new Map<
    string,
    { line: number; name: string | undefined; description: string | undefined }
  >();
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

  /** A call in an answer. `model`: of the answer. */
  call(event: JsonObject, block: JsonObject, at: Moment, model: string | undefined): void {
    const [id, tool] = [textIn(block, 'id'), textIn(block, 'name') ?? 'tool'];
    const input = objectIn(block, 'input');
    const agent = textIn(event, 'agentId') ?? (event['isSidechain'] === true ? 'sidechain' : undefined);
    this.#session.call({ id, tool, input: inputText(input), given: block['input'], model, agent }, at);
    const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path');
    if (WRITERS.has(tool) && path !== undefined && id !== undefined)
      this.#written.set(id, { path, input, at });
    if (AGENT_TOOLS.has(tool) && id !== undefined)
      this.#agents.set(id, {
        line: at.line,
        name: textIn(input, 'subagent_type'),
        description: textIn(input, 'description'),
      });
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
    const agent = textIn(details, 'agentId');
    if (agent === undefined) return;
    this.launched.add(agent);
    const { line = at.line, ...begun } = this.#agents.get(id ?? '') ?? {};
    const facts = {
      ...begun,
      status: textIn(details, 'status'),
      tokens: numberIn(details, 'totalTokens'),
      calls: numberIn(details, 'totalToolUseCount'),
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
