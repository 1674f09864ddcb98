import type { JsonPath } from '../../../base/json/path.ts';
import { named } from '../../../base/json/write.ts';
import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Severity } from '../../../findings/severity.ts';

/** A call, kept for its result. */
export interface PairedCall<Id = string> {
  readonly id: Id;
  readonly tool: string;
  readonly line: number;
  /** The content of the call, to recognise a repetition; absent if only ids are compared. */
  readonly content?: () => string;
  /** Equal for calls of one answer, if that is known. */
  readonly answer?: number | undefined;
}

/**
 * Pairs calls with results, and reports repeated ones immediately. Ids are texts, or their ordinals in the log. Some models
 * number the calls of each answer, so an id may occur again after the result of its call.
 */
export class ToolPairs<Call extends PairedCall<Id>, Id = string> {
  /** The last call of each id. */
  readonly calls = new Map<Id, Call>();
  /** The lines of the last results, by call id. */
  readonly results = new Map<Id, number>();
  /** The calls that wait for a result, in order. */
  readonly #open = new Map<Id, Call[]>();
  readonly #report: EventReporter;
  readonly #severity: Severity;
  readonly #textOf: (id: Id) => string;
  readonly #withoutCall = new Map<Id, FindingDraft & { readonly line: number }>();

  /** `severity`: of repeated calls and results. `textOf`: an id in messages. */
  constructor(report: EventReporter, severity: Severity = 'error', textOf: (id: Id) => string = String) {
    this.#report = report;
    this.#severity = severity;
    this.#textOf = textOf;
  }

  call(logged: LoggedEvent, call: Call, path: JsonPath): void {
    const { id } = call;
    const before = this.calls.get(id);
    if (this.#withoutCall.size > 0) this.#withoutCall.delete(id);
    if (before === undefined) {
      this.calls.set(id, call);
      // With several writers, a result may come before its call.
      if (!this.results.has(id)) this.#open.set(id, [call]);
      return;
    }
    const open = this.#open.get(id) ?? [];
    const isSame = call.content !== undefined && call.content() === before.content?.();
    if (open.length > 0 && isSame) return this.#repeat(logged, path);
    const isOneAnswer = call.answer !== undefined && open.some(({ answer }) => answer === call.answer);
    if (open.length > 0 && !isOneAnswer) {
      const message = `the call ${named(this.#textOf(id))} is already on line ${before.line}`;
      this.#report.at(logged, { code: 'tool/duplicate-call', severity: this.#severity, message, path });
      return;
    }
    if (isSame && call.answer !== undefined && call.answer === before.answer)
      return this.#repeat(logged, path);
    this.#numbered(logged, path);
    this.calls.set(id, call);
    this.#open.set(id, [...open, call]);
  }

  /** Programs that stream a record write the same call several times. */
  #repeat(logged: LoggedEvent, path: JsonPath): void {
    const remark = { code: 'tool/duplicate-call', severity: 'info', path } as const;
    this.#report.once('repeated calls', logged, remark, (count) => {
      const what = count === 1 ? '1 call is' : `${count} calls are`;
      return `${what} in the log again, with the same id and content`;
    });
  }

  #numbered(logged: LoggedEvent, path: JsonPath): void {
    const remark = { code: 'tool/duplicate-call', severity: 'info', path } as const;
    this.#report.once('numbered calls', logged, remark, (count) => {
      const what = count === 1 ? '1 call has' : `${count} calls have`;
      return `${what} the id of an earlier call: results are paired in order`;
    });
  }

  /** `excused`: whether the call may be in a missing part of the log. */
  result(logged: LoggedEvent, id: Id, path: JsonPath, excused = false): void {
    const before = this.results.get(id);
    const isAwaited = this.#open.has(id);
    if (before !== undefined && !isAwaited) {
      this.#report.at(logged, {
        code: 'tool/duplicate-result',
        severity: this.#severity,
        message: `the call ${named(this.#textOf(id))} has a result on line ${before} already`,
        path,
      });
      return;
    }
    this.#close(id);
    this.results.set(id, logged.line);
    if (!excused && !isAwaited) this.copy(logged, id, path);
  }

  #close(id: Id): void {
    const [, ...open] = this.#open.get(id) ?? [];
    if (open.length > 0) this.#open.set(id, open);
    else this.#open.delete(id);
  }

  /** Checks only that the call exists, for a result that may be in the log twice. */
  copy(logged: LoggedEvent, id: Id, path: JsonPath): void {
    if (this.calls.has(id)) return;
    const message = `the log has no call ${named(this.#textOf(id))}`;
    const draft = this.#report.draft(logged, { code: 'tool/orphan-result', message, path });
    this.#withoutCall.set(id, { ...draft, line: logged.line });
  }

  /** Notes a result whose record has a worse fault, so that its call counts as answered. */
  answered(id: Id, line: number): void {
    this.#close(id);
    if (!this.results.has(id)) this.results.set(id, line);
  }

  /** Reports the results without calls. */
  reportOrphans(): void {
    for (const draft of this.#withoutCall.values()) this.#report.report(draft);
  }

  /** The calls without a result, in log order. */
  unanswered(): Call[] {
    return [...this.#open.values()].flat().sort((a, b) => a.line - b.line);
  }
}
