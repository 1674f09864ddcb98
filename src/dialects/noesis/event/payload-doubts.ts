import { formatPath } from '../../../base/json/path.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { named, textOf } from '../../../base/json/write.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import { type BrokenRule, schemaIssues } from '../../../findings/schema-issues.ts';
import type { Row } from '../../../log/row.ts';
import type { Doubt } from '../../kit/rules.ts';
import { counted } from '../../kit/rules.ts';
import { errorBeside } from './outcome.ts';
import { missedDocumented, missedForm, type PayloadRules, rulesFor } from './payloads.ts';
import { isStateProjectionRow } from './rows.ts';

const CODES: Readonly<Record<BrokenRule, FindingCode>> = {
  type: 'event/field-type',
  words: 'event/vocabulary',
  pattern: 'event/vocabulary',
  range: 'event/range',
};

/** What is wrong with the payload of an event: required members, types, words and ranges (noesis.md §2.2). */
export function payloadDoubts({ phase, payload, event_type: type }: JsonObject): readonly Doubt[] {
  if (typeof phase !== 'string' || !isObject(payload)) return [];
  const rules = rulesFor(phase, type);
  if (rules === undefined) return [];
  const form = formDoubts(rules, phase === 'runtime' ? textOf(type) : phase, payload);
  const faulty = new Set(form.map(({ path = [] }) => formatPath(path)));
  const fields = fieldDoubts(rules, phase, payload).filter(({ path = [] }) => !faulty.has(formatPath(path)));
  return [...form, ...fields, ...(faulty.size === 0 ? documentedDoubts(rules, phase, payload) : [])];
}

/** The doubts about the required members. */
function formDoubts(rules: PayloadRules, name: string, payload: JsonObject): readonly Doubt[] {
  const missed = missedForm(rules, payload);
  if (missed === undefined) return [];
  return schemaIssues(missed, payload, ['payload']).map(
    ({ path, message, expected, actual, missing }): Doubt => ({
      code: 'event/payload',
      message: `${message}, which every ${named(name)} event must have`,
      path,
      expected,
      ...(!missing && { actual }),
    }),
  );
}

/** The doubts about the optional members. */
function fieldDoubts({ fields }: PayloadRules, phase: string, payload: JsonObject): readonly Doubt[] {
  return schemaIssues(fields, payload, ['payload']).map(
    ({ path, rule, message, expected, actual }): Doubt => ({
      code: phase === 'action_candidate' ? 'governance/candidate' : CODES[rule],
      message,
      path,
      expected,
      actual,
    }),
  );
}

/** The doubts about members that only the documents require, or that only the runtime writes. */
function documentedDoubts(rules: PayloadRules, phase: string, payload: JsonObject): readonly Doubt[] {
  const missed = missedDocumented(rules, payload);
  if (missed === undefined) return [];
  const why =
    phase === 'runtime'
      ? ': it is optional, but the runtime always writes it'
      : `; the documented form of ${named(phase)} events has it`;
  return schemaIssues(missed, payload, ['payload']).map(({ path, message, expected, actual, missing }) => {
    const remark = { code: 'event/payload', severity: 'info', path, expected } as const;
    const said = actual === 'null' ? `${formatPath(path)} is null` : message;
    return counted({ ...remark, message: `${said}${why}`, ...(!missing && { actual }) });
  });
}

/** The doubts about the members of a state projection that repeat others. */
function projectionDoubts({ kind, status, outcomes }: JsonObject): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (kind !== 'run.state_projection') {
    const message = 'payload.kind of a state projection must be run.state_projection';
    doubts.push({ code: 'projection/status', message, path: ['payload', 'kind'] });
  }
  const mirrored = isObject(outcomes) ? outcomes['status'] : undefined;
  const error = isObject(outcomes) ? errorBeside(mirrored, outcomes['error']) : undefined;
  if (error !== undefined) {
    const message = `payload.outcomes.status says ${named(textOf(mirrored ?? null))}, but ${error}`;
    const path = ['payload', 'outcomes', 'error'];
    doubts.push({ code: 'projection/status', severity: 'warn', message, path });
  }
  if (typeof status === 'string' && typeof mirrored === 'string' && status !== mirrored) {
    const message = `payload.status says ${named(status)}, but payload.outcomes.status, which it mirrors, says ${named(mirrored)}`;
    const path = ['payload', 'status'];
    doubts.push({ code: 'projection/status', message, path, expected: mirrored, actual: status });
  }
  return doubts;
}

/** The rule for what a state projection repeats. Its other rules are in its schema. */
export const PROJECTION_RULES = {
  run: {
    'a state projection agrees with itself'(row: Row): readonly Doubt[] | undefined {
      if (!isStateProjectionRow(row)) return undefined;
      const { payload } = row.event;
      return isObject(payload) ? projectionDoubts(payload) : undefined;
    },
  },
};
