import type { JsonObject } from '../../../../base/json/value.ts';
import { named } from '../../../../base/json/write.ts';
import { countText } from '../../../../base/text/count.ts';
import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { FindingDraft } from '../../../../findings/findings.ts';
import type { Row } from '../../../../log/row.ts';
import { columnsBehind } from '../../../../log/row-event.ts';
import { numberIn, objectIn, textIn } from '../../../kit/members.ts';
import { RepeatedIds } from '../../../kit/repeated-ids.ts';
import { type PairedCall, ToolPairs } from '../../kit/tool-pairs.ts';
import { dataOf, requestsOf } from '../records.ts';
import { COLUMN } from '../rows.ts';
import { isModelType } from '../vocabulary.ts';

interface Request {
  readonly tool: string;
  readonly line: number;
  readonly eventId: string | undefined;
}

const STOPS: ReadonlySet<unknown> = new Set(['session.resume', 'session.shutdown', 'abort']);

/** Events that end something, with the events that start it and the member that links both (copilot.md §4). */
const PAIRS: ReadonlyMap<unknown, { readonly begins: string; readonly member: string }> = new Map([
  ['permission.completed', { begins: 'permission.requested', member: 'requestId' }],
  ['hook.end', { begins: 'hook.start', member: 'hookInvocationId' }],
  ['subagent.completed', { begins: 'subagent.started', member: 'toolCallId' }],
  ['subagent.failed', { begins: 'subagent.started', member: 'toolCallId' }],
  ['external_tool.completed', { begins: 'external_tool.requested', member: 'requestId' }],
]);

/**
 * Checks the chain, in which each record names the one before, and pairs calls, permissions, hooks and subagents
 * (copilot.md §4, §9).
 */
export class ChainCheck extends ReportingCheck {
  readonly #ifWhole = this.report.ifWhole;
  readonly #ids = new RepeatedIds(this.report);
  readonly #tools = new ToolPairs<PairedCall & Request>(this.report, 'warn');
  /** The lines of the events that start something, by their type and the id of what they start. */
  readonly #begun = new Map<string, number>();
  /** The ends without a start before them. */
  readonly #ends: { readonly draft: FindingDraft; readonly begins: string; readonly key: string }[] = [];
  /** The ends of calls that were requested, without a start before them. */
  readonly #unstarted: { readonly draft: FindingDraft; readonly id: string }[] = [];
  readonly #requests = new Map<string, Request & { unstarted: number }>();
  /** The records whose parent does not come before them. */
  readonly #missing: {
    readonly line: number;
    readonly id: string;
    readonly parent: string | null;
    readonly ordinal: number;
  }[] = [];
  /** The line of the last end of a turn; 0 for none. `#lastStop`: of the last stop or resume. */
  #lastTurnEnd = 0;
  #lastStop = 0;
  #previous: string | undefined;
  #previousStored: string | undefined;
  #count = 0;
  #isSizeReported = false;
  /** The start of the previous record. Its length may have been measured before it was written. */
  #previousStart: number | undefined;

  row(row: Row): void {
    const event = columnsBehind(row);
    const id = textIn(event, 'id');
    this.#lengths(row, event);
    this.#previousStart = row.record.byteStart;
    this.#count += 1;
    const isNew = id === undefined || this.#ids.addOrdinal(row, row.ordinal(COLUMN.id), ['id']);
    if (isNew) {
      if (id !== undefined) this.#parent(row, event, id);
      this.#pairs(row, event);
      this.#toolsIn(row, event);
    }
    if (id === undefined) return;
    this.#previous = id;
    if (!isModelType(event['type'])) this.#previousStored = id;
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
    if (!log.whole) return;
    this.#tools.reportOrphans();
    for (const { line, id, parent, ordinal } of this.#missing) {
      const later = parent === null ? 0 : this.#ids.lineOfOrdinal(ordinal);
      const message =
        parent === null
          ? 'the record has no parent'
          : later > 0
            ? `the parent of the record comes after it, on line ${later}: lines were moved`
            : `the parent of the record, ${named(parent)}, is not in this log`;
      const code = later > 0 ? 'lineage/not-the-previous' : 'lineage/missing-parent';
      this.report.onLine(line, id, { code, message });
    }
    this.#endsWithoutStart();
    for (const call of this.#tools.unanswered()) this.#reportOpen(call);
    this.#neverStarted();
  }

  #parent(row: Row, event: JsonObject, id: string): void {
    const { line } = row;
    const { type, parentId } = event;
    if (this.#count === 1) {
      if (typeof parentId === 'string')
        this.#ifWhole.at(row, {
          code: 'lineage/begins-inside',
          message: 'the first record has a parent: the log is the end of a longer one',
          path: ['parentId'],
        });
      return;
    }
    if (isModelType(type) || parentId === undefined) return;
    if (parentId === this.#previous || parentId === this.#previousStored) return;
    if (this.#ids.hasOrdinal(row.ordinal(COLUMN.parentId))) {
      this.#ifWhole.at(row, {
        code: 'lineage/not-the-previous',
        message: 'the parent of the record is not the record before it: lines were moved or inserted',
        path: ['parentId'],
      });
    } else if (typeof parentId === 'string' || parentId === null)
      this.#missing.push({ line, id, parent: parentId, ordinal: row.ordinal(COLUMN.parentId) });
  }

  #pairs(logged: LoggedEvent, event: JsonObject): void {
    const { type } = event;
    const data = dataOf(event);
    if (typeof type !== 'string') return;
    for (const member of ['requestId', 'hookInvocationId', 'toolCallId']) {
      const value = textIn(data, member);
      const key = `${type} ${value}`;
      if (value !== undefined && !this.#begun.has(key)) this.#begun.set(key, logged.line);
    }
    const pair = PAIRS.get(type);
    if (pair === undefined) return;
    const { begins, member } = pair;
    const value = textIn(data, member);
    const key = `${begins} ${value}`;
    if (value === undefined || this.#begun.has(key)) return;
    const message = `the log has no ${begins} with ${member} ${named(value)}`;
    const draft = this.report.draft(logged, { code: 'session/orphan-end', message, path: ['data', member] });
    this.#ends.push({ draft, begins, key });
  }

  /** Reports ends whose start is missing, or comes after them. */
  #endsWithoutStart(): void {
    for (const { draft, begins, key } of this.#ends) {
      const line = this.#begun.get(key);
      const isLater = line !== undefined && { message: `its ${begins} comes after it, on line ${line}` };
      this.report.report({ ...draft, ...isLater });
    }
    for (const { draft, id } of this.#unstarted) {
      const start = this.#tools.calls.get(id);
      const isLater = start !== undefined && {
        message: `${named(start.tool)} (${named(id)}) starts after its end, on line ${start.line}`,
      };
      this.report.report({ ...draft, ...isLater });
    }
  }

  #toolsIn(logged: LoggedEvent, event: JsonObject): void {
    const { line, id: eventId } = logged;
    const { type } = event;
    const data = dataOf(event);
    for (const request of requestsOf(event)) {
      const id = textIn(request, 'toolCallId');
      if (id === undefined) continue;
      const before = this.#requests.get(id);
      // One answer may ask for several calls with one id.
      if (before?.line === line) before.unstarted += 1;
      else this.#requests.set(id, { tool: textIn(request, 'name') ?? 'tool', line, eventId, unstarted: 1 });
    }
    if (type === 'assistant.turn_end' && event['agentId'] === undefined) this.#lastTurnEnd = line;
    if (STOPS.has(type)) this.#lastStop = line;
    const id = textIn(data, 'toolCallId');
    if (id === undefined) return;
    const path = ['data', 'toolCallId'];
    if (type === 'tool.execution_start') {
      const request = this.#requests.get(id);
      const answer = request && request.unstarted > 0 ? request.line : undefined;
      if (request) request.unstarted -= 1;
      this.#tools.call(logged, { id, tool: textIn(data, 'toolName') ?? 'tool', line, eventId, answer }, path);
    } else if (type === 'tool.execution_complete') {
      const request = this.#requests.get(id);
      // If its parent is missing, too, the start was lost.
      const isUnstarted =
        request !== undefined &&
        this.#missing.at(-1)?.line !== line &&
        !this.#tools.calls.has(id) &&
        !this.#tools.results.has(id);
      this.#tools.result(logged, id, path, isUnstarted);
      if (!isUnstarted) return;
      const message = `${named(request.tool)} (${named(id)}) has an end, and line ${request.line} asks for it, but no record starts it`;
      this.#unstarted.push({
        draft: this.report.draft(logged, { code: 'tool/never-started', message, path }),
        id,
      });
    }
  }

  #reportOpen({ id, tool, line, eventId }: PairedCall & Request): void {
    const name = `${named(tool)} (${named(id)}) has no end`;
    if (this.#lastTurnEnd <= line) {
      this.report.onLine(line, eventId, {
        code: 'tool/open',
        message: `${name}: the log ends before it`,
      });
      return;
    }
    const isExplained = this.#lastStop > line;
    this.report.onLine(line, eventId, {
      code: 'tool/unanswered',
      ...(!isExplained && { severity: 'warn' as const }),
      message: isExplained ? `${name}: the session was stopped or resumed` : `${name}, but its turn is over`,
    });
  }

  #neverStarted(): void {
    for (const [id, { tool, line, eventId }] of this.#requests) {
      const isOver = this.#lastTurnEnd > line;
      if (!isOver || this.#tools.calls.has(id) || this.#tools.results.has(id)) continue;
      if (this.#begun.has(`external_tool.requested ${id}`)) continue;
      const message = `${named(tool)} (${named(id)}) was requested, but never started`;
      this.report.onLine(line, eventId, { code: 'tool/never-started', message });
    }
  }

  /** Compares what the program recorded about the log with the log (copilot.md §5). */
  #lengths(logged: LoggedEvent, event: JsonObject): void {
    const { record } = logged;
    const data = objectIn(event, 'data');
    const [count, size] = [numberIn(data, 'eventCount'), numberIn(data, 'eventsFileSizeBytes')];
    if (event['type'] === 'session.resume' && count !== undefined && count !== this.#count)
      this.#ifWhole.at(logged, {
        code: 'session/event-count',
        message: `the record says that ${countText(count)} records come before it; there are ${countText(this.#count)}`,
        path: ['data', 'eventCount'],
        expected: String(this.#count),
        actual: String(count),
      });
    const isRight = size === record.byteStart || size === this.#previousStart;
    if (size === undefined || isRight || this.#isSizeReported) return;
    this.#isSizeReported = true;
    this.#ifWhole.at(logged, {
      code: 'session/file-size',
      message: `the record says that ${countText(size)} bytes come before it; there are ${countText(record.byteStart)}`,
      path: ['data', 'eventsFileSizeBytes'],
      expected: String(record.byteStart),
      actual: String(size),
    });
  }
}
