import { named } from '../../../base/json/write.ts';
import { type EventReporter, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { textIn } from '../../kit/members.ts';
import type { Said, SessionFormat } from './format.ts';
import { SessionHistory } from './history.ts';

/** The parts of a message that are compared when its id occurs again. */
interface Form {
  readonly line: number;
  readonly type: string | undefined;
  readonly time: string | undefined;
  readonly calls: ReadonlySet<string | undefined>;
  readonly hasUsage: boolean;
}

/** Checks messages that later records replace or remove. */
export class EditCheck extends ReportingCheck {
  readonly #format: SessionFormat;
  readonly #history = new SessionHistory();
  readonly #forms = new Map<string, Form>();
  /** Lists that replaced the conversation and left out earlier messages. */
  readonly #lists: { readonly draft: FindingDraft; readonly ids: readonly string[] }[] = [];

  constructor(format: SessionFormat, report: EventReporter) {
    super(report);
    this.#format = format;
  }

  row(row: Row): void {
    const { event, line } = row;
    const { members, said: read } = this.#format;
    const said = read(event);
    if (said.rewindsTo !== undefined) this.#rewind(row, said.rewindsTo);
    if (said.replaces !== undefined) this.#replace(row, said.replaces);
    const id = textIn(event, members.id);
    if (id === undefined) return;
    this.#history.add(id, line);
    this.#form(row, id, said);
  }

  #form(row: Row, id: string, { calls = [], usage }: Said): void {
    const { event, line } = row;
    const { members, typeOf } = this.#format;
    const form: Form = {
      line,
      type: typeOf(event),
      time: textIn(event, members.time),
      calls: new Set(calls.map((call) => call.id)),
      hasUsage: usage !== undefined && usage.stated !== undefined,
    };
    const before = this.#forms.get(id);
    this.#forms.set(id, form);
    if (before === undefined) return;
    const path = [members.id];
    if (form.type !== before.type || form.time !== before.time)
      this.report.at(row, {
        code: 'event/type-changed',
        message: `the message has another type or time than on line ${before.line}`,
        path,
      });
    const lost = [...before.calls].filter((id) => !form.calls.has(id)).length;
    if (lost === 0 && form.hasUsage >= before.hasUsage) return;
    const what = lost === 0 ? 'tokens' : lost === 1 ? '1 call' : `${lost} calls`;
    this.report.at(row, {
      code: 'event/upsert-lost',
      message: `the message has lost ${what} that it had on line ${before.line}`,
      path,
    });
  }

  #rewind(row: Row, to: string): void {
    const isKnown = this.#history.has(to);
    this.#history.rewind(to);
    if (isKnown) return;
    this.report.ifWhole.at(row, {
      code: 'session/rewind-unknown',
      message: `the conversation has no message ${named(to)} to go back to, so the program would forget all of it`,
      path: ['$rewindTo'],
    });
  }

  #replace(row: Row, ids: readonly string[]): void {
    const repeatedAt = ids.findIndex((id, index) => ids.indexOf(id) !== index);
    if (repeatedAt >= 0)
      this.report.at(row, {
        code: 'event/duplicate-id',
        severity: 'warn',
        message: `the list has the message ${named(ids[repeatedAt])} twice`,
        path: ['$set', 'messages', repeatedAt, 'id'],
      });
    const left = this.#history.replace(ids, row.line).ids.filter((id) => this.#forms.has(id));
    const message = `a list of messages replaces the conversation, and leaves out ${left.length} of the earlier messages`;
    const draft = this.report.draft(row, { code: 'session/history-replaced', message });
    if (left.length > 0) this.#lists.push({ draft, ids: left });
  }

  end(): void {
    // A later list may contain the messages again.
    const list = this.#lists.find(({ ids }) => ids.some((id) => !this.#history.has(id)));
    if (list !== undefined) this.report.report(list.draft);
  }
}
