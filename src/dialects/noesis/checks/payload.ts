import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fits } from '../../../schema/fits.ts';
import { isStateProjection } from '../outcome-projection.ts';
import { intendedForm, optionalFields, payloadForms } from '../schema/payloads.ts';
import {
  isOneOf,
  POLICY_KINDS,
  RISK_LEVELS,
  SCRUTINY_LEVELS,
  STEP_KINDS,
  STEP_STATUSES,
  TERMINATE_STATUSES,
} from '../vocabulary.ts';

const STEERING = {
  risk_level: RISK_LEVELS,
  scrutiny_level: SCRUTINY_LEVELS,
  policy_kind: POLICY_KINDS,
  salience_signals: ['task_complexity', 'normalization_gap', 'policy_hint', 'safety_boundary'],
  strategy_hints: ['conservative', 'verify_first', 'retrieve_more', 'narrow_scope'],
  tool_constraints: ['no_side_effects', 'read_only', 'require_double_check'],
} as const;

/** Controlled words by phase and payload field; where the field is a list, every item is such a word. */
const VOCABULARY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  intuition: { kind: ['hint', 'intervention', 'veto'], ...STEERING },
  direction: { status: ['applied', 'blocked', 'skipped'], ...STEERING },
  governance: { decision: ['allow', 'audit', 'veto'], policy_kind: POLICY_KINDS },
  act: { step_status: STEP_STATUSES },
  learn: { scope: ['session', 'episode', 'policy', 'global'] },
  terminate: { status: TERMINATE_STATUSES },
};

/** Fields that hold a share between 0 and 1. */
const SHARES: Readonly<Record<string, string>> = { governance: 'score', intuition: 'confidence' };

/** Payloads by phase: the form, the types, the words and the ranges (noesis.md §2.2). */
export class PayloadCheck implements EventCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { phase, payload } = logged.event;
    if (typeof phase !== 'string' || !isObject(payload)) return;
    if (!this.#checkForm(logged, phase, payload)) return;
    this.#checkWords(logged, phase, payload);
    this.#checkShare(logged, phase, payload);
    if (phase === 'plan') this.#checkSteps(logged, payload);
    if (phase === 'runtime') this.#checkRuntime(logged, payload);
  }

  /** True when the payload has one of its forms, so that a closer look is worth it. */
  #checkForm(logged: LoggedEvent, phase: string, payload: JsonObject): boolean {
    const forms = Object.hasOwn(payloadForms, phase) ? payloadForms[phase] : undefined;
    const intended = intendedForm(phase, payload);
    if (forms && intended && !forms.some((form) => fits(form, payload))) {
      for (const issue of schemaIssues(intended, payload, ['payload'])) {
        const { path, message, expected, actual, missing } = issue;
        this.#report.at(logged, {
          code: 'event/payload',
          message: `${message}, which every ${phase} event must have`,
          path,
          expected,
          ...(!missing && { actual }),
        });
      }
      return false;
    }
    const fields = Object.hasOwn(optionalFields, phase) ? optionalFields[phase] : undefined;
    for (const { path, message, expected, actual } of fields
      ? schemaIssues(fields, payload, ['payload'])
      : []) {
      this.#report.at(logged, { code: 'event/field-type', message, path, expected, actual });
    }
    return true;
  }

  #checkWords(logged: LoggedEvent, phase: string, payload: JsonObject): void {
    const fields = Object.hasOwn(VOCABULARY, phase) ? VOCABULARY[phase] : undefined;
    for (const [name, words] of Object.entries(fields ?? {})) {
      const value = payload[name];
      if (Array.isArray(value)) {
        value.forEach((item, index) => {
          this.#word(logged, ['payload', name, index], item, words);
        });
      } else this.#word(logged, ['payload', name], value, words);
    }
  }

  #word(
    logged: LoggedEvent,
    path: (string | number)[],
    value: JsonValue | undefined,
    words: readonly string[],
  ): void {
    if (typeof value !== 'string' || isOneOf(words, value)) return;
    const message = `\`${value}\` is none of the words for ${String(path.findLast((part) => typeof part === 'string'))}`;
    this.#report.at(logged, {
      code: 'event/vocabulary',
      message,
      path,
      expected: words.join(', '),
      actual: value,
    });
  }

  #checkShare(logged: LoggedEvent, phase: string, payload: JsonObject): void {
    const name = Object.hasOwn(SHARES, phase) ? SHARES[phase] : undefined;
    const value = name === undefined ? undefined : payload[name];
    if (name === undefined || typeof value !== 'number' || (value >= 0 && value <= 1)) return;
    const message = `${name} is ${value}; it is a share between 0 and 1`;
    this.#report.at(logged, {
      code: 'event/range',
      message,
      path: ['payload', name],
      expected: '0 to 1',
      actual: String(value),
    });
  }

  #checkSteps(logged: LoggedEvent, payload: JsonObject): void {
    const { step_records: records, steps: labels } = payload;
    if (Array.isArray(records)) {
      records.forEach((step, index) => {
        if (!isObject(step)) return;
        this.#word(logged, ['payload', 'step_records', index, 'kind'], step['kind'], STEP_KINDS);
        this.#word(logged, ['payload', 'step_records', index, 'status'], step['status'], STEP_STATUSES);
      });
      return;
    }
    if (!Array.isArray(labels)) return;
    for (const [index, label] of labels.entries()) {
      if (typeof label !== 'string') continue;
      const colon = label.indexOf(':');
      if (colon !== -1) {
        this.#word(logged, ['payload', 'steps', index], label.slice(0, colon), STEP_KINDS);
        continue;
      }
      const message = 'a step label has no `<kind>:` before its description';
      this.#report.at(logged, {
        code: 'event/vocabulary',
        message,
        path: ['payload', 'steps', index],
        actual: label,
      });
    }
  }

  #checkRuntime(logged: LoggedEvent, payload: JsonObject): void {
    const type = logged.event['event_type'];
    if (payload['status'] === undefined && typeof type === 'string' && type.startsWith('run.')) {
      const message = `payload.status is missing, which every ${type} event must have`;
      this.#report.at(logged, { code: 'event/payload', message, path: ['payload', 'status'] });
    }
    if (!isStateProjection(logged.event)) return;
    const { kind, status, outcomes } = payload;
    if (kind !== 'run.state_projection') {
      const message = 'payload.kind of a state projection must be run.state_projection';
      this.#report.at(logged, { code: 'projection/status', message, path: ['payload', 'kind'] });
    }
    const mirrored = isObject(outcomes) ? outcomes['status'] : undefined;
    if (typeof status === 'string' && typeof mirrored === 'string' && status !== mirrored) {
      const message = `payload.status says ${status}, payload.outcomes.status says ${mirrored}: the first mirrors the second`;
      const path = ['payload', 'status'];
      this.#report.at(logged, {
        code: 'projection/status',
        message,
        path,
        expected: mirrored,
        actual: status,
      });
    }
  }
}
