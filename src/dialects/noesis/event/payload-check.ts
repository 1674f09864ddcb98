import { formatPath } from '../../../base/json/path.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { named, textOf } from '../../../base/json/write.ts';
import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import { type BrokenRule, schemaIssues } from '../../../findings/schema-issues.ts';
import type { Row } from '../../../log/row.ts';
import { errorBeside } from './outcome.ts';
import { missedDocumented, missedForm, type PayloadRules, rulesFor } from './payloads.ts';
import { isStateProjectionRow, PHASE } from './rows.ts';

const CODES: Readonly<Record<BrokenRule, FindingCode>> = {
  type: 'event/field-type',
  words: 'event/vocabulary',
  pattern: 'event/vocabulary',
  range: 'event/range',
};

const TYPES = new Set([PHASE.runtime]);

/** Checks payloads by phase: required members, types, words and ranges (noesis.md §2.2). */
export class PayloadCheck extends ReportingCheck {
  readonly types = TYPES;

  refused(logged: LoggedEvent): void {
    const { phase, payload, event_type: type } = logged.event;
    if (typeof phase !== 'string' || !isObject(payload)) return;
    const rules = rulesFor(phase, type);
    if (rules === undefined) return;
    const name = phase === 'runtime' ? textOf(type) : phase;
    const faulty = this.#checkForm(logged, rules, name, payload);
    this.#checkFields(logged, rules, phase, payload, faulty);
    if (faulty.size === 0) this.#checkDocumented(logged, rules, payload);
  }

  row(row: Row): void {
    if (!isStateProjectionRow(row)) return;
    const { payload } = row.event;
    if (isObject(payload)) this.#checkProjection(row, payload);
  }

  /** Checks the required members. Returns the reported places. */
  #checkForm(
    logged: LoggedEvent,
    rules: PayloadRules,
    name: string,
    payload: JsonObject,
  ): ReadonlySet<string> {
    const faulty = new Set<string>();
    const missed = missedForm(rules, payload);
    if (missed === undefined) return faulty;
    for (const { path, message, expected, actual, missing } of schemaIssues(missed, payload, ['payload'])) {
      this.report.at(logged, {
        code: 'event/payload',
        message: `${message}, which every ${named(name)} event must have`,
        path,
        expected,
        ...(!missing && { actual }),
      });
      faulty.add(formatPath(path));
    }
    return faulty;
  }

  /** Checks the optional members, except places already reported. */
  #checkFields(
    logged: LoggedEvent,
    { fields }: PayloadRules,
    phase: string,
    payload: JsonObject,
    faulty: ReadonlySet<string>,
  ): void {
    for (const { path, rule, message, expected, actual } of schemaIssues(fields, payload, ['payload'])) {
      if (faulty.has(formatPath(path))) continue;
      const code = phase === 'action_candidate' ? 'governance/candidate' : CODES[rule];
      this.report.at(logged, { code, message, path, expected, actual });
    }
  }

  /** Notes the absence of members that only the documents require, or that only the runtime writes. */
  #checkDocumented(logged: LoggedEvent, rules: PayloadRules, payload: JsonObject): void {
    const { phase } = logged.event;
    const why =
      phase === 'runtime'
        ? ': it is optional, but the runtime always writes it'
        : `; the documented form of ${named(textOf(phase))} events has it`;
    const missed = missedDocumented(rules, payload);
    if (missed === undefined) return;
    for (const { path, message, expected, actual, missing } of schemaIssues(missed, payload, ['payload'])) {
      const remark = { code: 'event/payload', severity: 'info', path, expected } as const;
      const said = actual === 'null' ? `${formatPath(path)} is null` : message;
      this.report.note(logged, { ...remark, message: `${said}${why}`, ...(!missing && { actual }) });
    }
  }

  /** Compares the members of a state projection that repeat others. */
  #checkProjection(logged: LoggedEvent, { kind, status, outcomes }: JsonObject): void {
    if (kind !== 'run.state_projection') {
      const message = 'payload.kind of a state projection must be run.state_projection';
      this.report.at(logged, { code: 'projection/status', message, path: ['payload', 'kind'] });
    }
    const mirrored = isObject(outcomes) ? outcomes['status'] : undefined;
    const error = isObject(outcomes) ? errorBeside(mirrored, outcomes['error']) : undefined;
    if (error !== undefined) {
      const message = `payload.outcomes.status says ${named(textOf(mirrored ?? null))}, but ${error}`;
      const path = ['payload', 'outcomes', 'error'];
      this.report.at(logged, { code: 'projection/status', severity: 'warn', message, path });
    }
    if (typeof status === 'string' && typeof mirrored === 'string' && status !== mirrored) {
      const message = `payload.status says ${named(status)}, but payload.outcomes.status, which it mirrors, says ${named(mirrored)}`;
      const path = ['payload', 'status'];
      this.report.at(logged, {
        code: 'projection/status',
        message,
        path,
        expected: mirrored,
        actual: status,
      });
    }
  }
}
