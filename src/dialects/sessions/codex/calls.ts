import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { changesOfPatch } from '../../kit/file-change.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import type { SessionBuilder } from '../kit/builder.ts';
import type { Moment } from '../kit/session.ts';
import { changesDone, filesOfPatch } from './patches.ts';
import {
  callIdOf,
  durationIn,
  givenOf,
  type Item,
  inputOf,
  isDeclined,
  isHosted,
  outcomeOf,
  parsedText,
  toolOf,
  withoutFrame,
} from './records.ts';
import type { ThreadHistory } from './thread-history.ts';

/** Events that ask the user to approve a call. */
const APPROVAL_REQUESTS: ReadonlySet<unknown> = new Set([
  'exec_approval_request',
  'apply_patch_approval_request',
]);

/** The text of a patch. In JSON arguments its newlines are escaped. */
const patchIn = (text: string): string => (/^\s*[{["]/.test(text) ? text.replaceAll('\\n', '\n') : text);

/** The calls of a rollout, with the files that they patch, the subagents that they start and the approvals that they wait for. */
export class RolloutCalls {
  readonly #session: SessionBuilder;
  readonly #history: ThreadHistory;
  readonly #patches = new Map<string, { readonly paths: readonly string[]; readonly at: Moment }>();
  /** The calls that start subagents, and their lines. */
  readonly #spawns = new Map<string, number>();
  readonly #waits = new Set<string>();
  /** Calls that wait for the user, and since when. */
  readonly #asked = new Map<string, string | undefined>();

  /** `history`: says whether the current record was copied. */
  constructor(session: SessionBuilder, history: ThreadHistory) {
    this.#session = session;
    this.#history = history;
  }

  /** `hasTurns`: the log says when turns begin and end. */
  call(
    item: Item,
    at: Moment,
    { model, hasTurns }: { readonly model: string | undefined; readonly hasTurns: boolean },
  ): void {
    const id = callIdOf(item) ?? (isHosted(item) ? `line ${at.line}` : undefined);
    const [tool, input] = [toolOf(item), inputOf(item)];
    this.#session.call({ id, tool, input, given: givenOf(item), model }, at);
    if (!hasTurns) this.#session.turnIs('open');
    if (isHosted(item)) this.#session.result(id, { status: 'ok' }, at);
    if (id === undefined) return;
    if (tool === 'spawn_agent') this.#spawns.set(id, at.line);
    if (tool === 'wait_agent') this.#waits.add(id);
    const patch = patchIn(textIn(item.payload, 'input') ?? textIn(item.payload, 'arguments') ?? '');
    this.#session.story?.changes(id, changesOfPatch(patch));
    const paths = filesOfPatch(patch);
    if (paths.length > 0) this.#patches.set(id, { paths, at });
  }

  /** The result of a call. */
  output(item: Item, at: Moment): void {
    const id = callIdOf(item);
    const { exitCode, status, text, byPerson } = outcomeOf(item);
    this.#session.result(id, { status, exitCode, text: withoutFrame(text), byPerson }, at);
    if (id === undefined) return;
    if (status === 'ok') this.#patched(id);
    this.#agentsIn(id, text, at);
  }

  /** A call changed files as its patch says. */
  #patched(id: string): void {
    const patch = this.#patches.get(id);
    if (patch === undefined) return;
    for (const path of patch.paths) this.#session.file(path, patch.at);
    this.#patches.set(id, { paths: [], at: patch.at });
  }

  /** Adds the subagent that a call started, or those that it waited for. */
  #agentsIn(id: string, text: string, at: Moment): void {
    const started = this.#spawns.get(id);
    if (started === undefined && !this.#waits.has(id)) return;
    const answer = parsedText(text);
    const agent = textIn(answer, 'agent_id');
    if (agent !== undefined && started !== undefined)
      this.#started(agent, textIn(answer, 'nickname'), started);
    for (const [thread, ended] of Object.entries(objectIn(answer, 'status'))) {
      const [status] = isObject(ended) ? Object.keys(ended) : [ended];
      if (typeof status === 'string') this.#session.facts.agent(thread, { status }, at);
    }
  }

  #started(agent: string, name: string | undefined, line: number): void {
    this.#session.facts.agent(agent, { name }, { line });
    // A copied history names the subagents of another thread.
    if (!this.#history.isCopy) this.#session.usage.started(agent);
  }

  /** Notes when the user was asked about a call. The next record of the call shows that the user answered. */
  approvals({ kind, payload }: Item, { time }: Moment): void {
    const id = textIn(payload, 'call_id');
    if (id === undefined) return;
    if (APPROVAL_REQUESTS.has(kind)) {
      this.#asked.set(id, time);
      this.#session.asks(id, time);
    } else if (this.#asked.has(id)) {
      this.#session.asked(id, this.#asked.get(id), time);
      this.#asked.delete(id);
    }
  }

  /** Adds to a call what events say about it. */
  details({ kind, payload }: Item, at: Moment): void {
    if (kind === 'patch_apply_end') {
      this.#patchEnds(textIn(payload, 'call_id') ?? '', payload, at);
    } else if (kind === 'exec_command_end') {
      this.#command(textIn(payload, 'call_id'), payload);
    } else if (kind === 'item_completed') {
      const item = objectIn(payload, 'item');
      if (item['type'] === 'CommandExecution') this.#command(textIn(item, 'id'), item);
    }
  }

  /** The program records which files a patch changed, with whole paths. */
  #patchEnds(id: string, end: JsonObject, at: Moment): void {
    const asked = this.#patches.get(id);
    const done = changesDone(end);
    if (end['success'] === false) this.#session.correct(id, { status: isDeclined(end) ? 'denied' : 'error' });
    else if (done.length === 0) return this.#patched(id);
    // If the result of the call came first, its files are known.
    else if (asked?.paths.length !== 0) {
      for (const { path } of done) this.#session.file(path, asked?.at ?? at, id);
      this.#session.story?.changed(id, done);
    }
    this.#patches.set(id, { paths: [], at });
  }

  #command(id: string | undefined, item: JsonObject): void {
    const exitCode = numberIn(item, 'exit_code');
    const durationMs = durationIn(item);
    if (id === undefined) return;
    // What was not allowed did not run, so its exit code says nothing.
    if (isDeclined(item)) return this.#session.correct(id, { status: 'denied' });
    const status = exitCode === undefined ? undefined : exitCode === 0 ? 'ok' : 'error';
    this.#session.correct(id, { status, exitCode, durationMs });
  }
}
