import { existsSync, readdirSync } from 'node:fs';
import { basename, isAbsolute, join, normalize } from 'node:path';
import { named } from '../../../base/json/write.ts';
import { type EventReporter, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import type { SaidAgent, SessionFormat } from './format.ts';

/** Whether a path stays in the folder of the log. Other paths, and URLs, are not looked up. */
const isInside = (path: string): boolean =>
  !isAbsolute(path) && !/^[a-z][a-z+.-]*:/i.test(path) && !/^\.\.(?:[/\\]|$)/.test(normalize(path));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Checks the other sessions and files that a log names. */
export class FileCheck extends ReportingCheck {
  readonly #format: SessionFormat;
  readonly #folder: string | undefined;
  /** The ids of sessions in the log. */
  readonly #here = new Set<string | undefined>();
  readonly #named: { readonly agent: SaidAgent; readonly line: number }[] = [];
  readonly #looked = new Set<string>();
  /** Whether no prompt and no answer came so far. */
  #isEmpty = true;

  /** `folder`: of the log; undefined if other files must not be looked up. */
  constructor(format: SessionFormat, report: EventReporter, folder: string | undefined) {
    super(report);
    this.#format = format;
    this.#folder = folder;
  }

  row(row: Row): void {
    const { isSelfContained, said } = this.#format;
    const { agents = [], files = [], prompt, usage } = said(row.event);
    this.#isEmpty &&= prompt === undefined && usage === undefined;
    for (const agent of isSelfContained ? agents : []) {
      if (agent.isHere) this.#add(row, agent.own);
      else if (!agent.isElsewhere) this.#named.push({ agent, line: row.line });
    }
    for (const path of [...files, ...agents.map((agent) => agent.path)]) this.#look(row, path);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    if (this.#isEmpty) this.#orphan();
    for (const { agent, line } of this.#named) {
      const { own, path } = agent;
      if (path !== undefined || (own !== undefined && this.#here.has(own))) continue;
      const message =
        own === undefined
          ? 'the session of the subagent has neither a path nor an id'
          : `the session ${named(own)} of the subagent is not in this log, and has no path`;
      this.report.onLine(line, undefined, { code: 'lineage/subagent', message });
    }
  }

  /** Reports a log without prompts and answers if the name of another log has the same session id. */
  #orphan(): void {
    const { sessionIn } = this.#format;
    const name = basename(this.report.file);
    const id = sessionIn(name);
    if (id === undefined || this.#folder === undefined) return;
    const other = namesIn(this.#folder).find((one) => one !== name && sessionIn(one) === id);
    if (other === undefined) return;
    const message = `the log has neither a prompt nor an answer, and ${named(other)} belongs to the same session`;
    this.report.report({ code: 'session/orphan-file', message, file: this.report.file });
  }

  #add(row: Row, id: string | undefined): void {
    const fault =
      id === undefined
        ? 'has no id'
        : this.#here.has(id)
          ? `has the same id as another one, ${named(id)}`
          : undefined;
    this.#here.add(id);
    if (fault === undefined) return;
    this.report.at(row, {
      code: 'lineage/subagent',
      message: `the session of a subagent in this log ${fault}`,
    });
  }

  #look(row: Row, path: string | undefined): void {
    if (this.#folder === undefined || path === undefined || this.#looked.has(path) || !isInside(path)) return;
    this.#looked.add(path);
    if (existsSync(join(this.#folder, path))) return;
    this.report.ifWhole.at(row, {
      code: 'artifact/missing',
      message: `${named(path)} is not next to this log`,
      actual: path,
    });
  }
}
