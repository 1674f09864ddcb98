import { named } from '../../../base/json/write.ts';
import { type EventReporter, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { textIn } from '../../kit/members.ts';
import type { Said, SessionFormat, SessionRules } from './format.ts';

/** The calls of the last answer among the ancestors of a record. */
interface Asked {
  readonly calls: ReadonlySet<string | undefined>;
  /** The first prompt, answer or sent text after the calls. */
  between: { readonly line: number; readonly id: string | undefined; isReported: boolean } | undefined;
}

interface Columns {
  readonly id: number;
  readonly parent: number;
}

/** Checks references to earlier records: unknown targets, results that name two calls, and late results. */
export class PathCheck extends ReportingCheck {
  readonly #said: SessionFormat['said'];
  readonly #rules: SessionRules;
  readonly #columns: Columns;
  /** By the ordinal of a record's id. */
  readonly #asked = new Map<number, Asked | undefined>();

  constructor({ said }: SessionFormat, rules: SessionRules, report: EventReporter, columns: Columns) {
    super(report.ifWhole);
    this.#said = said;
    this.#rules = rules;
    this.#columns = columns;
  }

  row(row: Row): void {
    const said = this.#said(row.event);
    const id = row.ordinal(this.#columns.id);
    if (said.isHead || id < 0) return;
    for (const member of this.#rules.targets ?? []) this.#target(row, member);
    const asked = this.#asked.get(row.ordinal(this.#columns.parent));
    for (const { id, otherId } of said.results ?? []) {
      if (asked?.between && asked.calls.has(id)) this.#late(row, asked.between, id);
      if (otherId === undefined || otherId === id) continue;
      const message = `the record names two calls whose result it is: ${named(id)} and ${named(otherId)}`;
      this.report.at(row, { code: 'tool/two-ids', message });
    }
    this.#asked.set(id, this.#after(row, said, asked));
  }

  #target(row: Row, member: string): void {
    const id = textIn(row.event, member);
    if (id === undefined || id === 'root' || id === row.id || this.#asked.has(row.texts.find(id))) return;
    const message = `the log has no entry ${named(id)} before this one`;
    this.report.at(row, { code: 'lineage/unknown-target', message, path: [member], actual: id });
  }

  #late({ line }: Row, between: NonNullable<Asked['between']>, id: string | undefined): void {
    if (between.isReported) return;
    between.isReported = true;
    const message = `it comes between the call ${named(id)} and its result on line ${line}`;
    this.report.onLine(between.line, between.id, { code: 'tool/interleaved', message });
  }

  #after({ line, id }: Row, { calls = [], prompt, answer, isSent }: Said, asked: Asked | undefined) {
    if (calls.length > 0) return { calls: new Set(calls.map((call) => call.id)), between: undefined };
    const isBetween = prompt !== undefined || Boolean(answer) || isSent === true;
    if (asked === undefined || asked.between || !isBetween || !this.#rules.resultsFollow) return asked;
    return { ...asked, between: { line, id, isReported: false } };
  }
}
