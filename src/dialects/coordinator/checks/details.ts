import { ticked } from '../../../base/json/write.ts';
import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import { type CoordinatorEvent, detailsOf } from '../read.ts';
import { TYPED_DETAILS } from '../schema/event.ts';
import { isFormerType } from '../upcasters.ts';
import { ENVELOPE, EVENT_TYPES, isOtherType, RECOVERY_TYPES, type TypeSpec } from '../vocabulary.ts';
import { lacks } from './envelope.ts';
import type { ReadCheck, RefusedEvent } from './log-check.ts';

/**
 * Whether an event has a detail, in either place and under any of its names. In the details, null counts as a value,
 * because it means "none".
 */
export function has({ stored, detail, taskId, agentId }: CoordinatorEvent, name: string): boolean {
  if (name === 'task_id') return taskId !== undefined;
  if (name === 'agent_id') return agentId !== undefined;
  return detail(name) !== undefined || Object.hasOwn(detailsOf(stored), name);
}

/** Checks the few details whose types the documents state. */
export function typeIssues(event: CoordinatorEvent, fields: readonly string[]): SchemaIssue[] {
  const details = detailsOf(event.stored);
  return fields.flatMap((name) => {
    const schema = TYPED_DETAILS.get(name);
    const value = event.detail(name);
    if (schema === undefined || value === undefined) return [];
    return schemaIssues(schema, value, Object.hasOwn(details, name) ? ['details', name] : [name]);
  });
}

/**
 * Checks event types and their details (coordinator.md §3, §8). The documents list details without requiring them, so a
 * missing one is a warning.
 */
export class DetailsCheck extends ReportingCheck implements ReadCheck {
  refused({ logged, event, older }: RefusedEvent): void {
    const { type, stored } = event;
    const spec = EVENT_TYPES.get(type);
    if (spec === undefined) {
      this.#unknown({ logged, event });
      return;
    }
    const flat = RECOVERY_TYPES.has(type) ? undefined : this.#flatField(event, spec);
    if (flat !== undefined)
      this.report.once('flat', logged, { code: 'event/flat-details', path: [flat] }, (count) => {
        const events = count === 1 ? 'one event' : `${count} events, here for the first time`;
        return `fields such as ${flat} are at the top level, outside details, in ${events}`;
      });
    // The details of older revisions are unknown.
    if (older) return;
    // Missing members of the envelope were already reported.
    const isReported = (name: string) =>
      ENVELOPE.has(name) ? !Object.hasOwn(stored, name) : lacks(stored, 'details');
    const said = (name: string) => has(event, name) || isReported(name);
    this.#types(logged, event, spec.fields);
    const missing = spec.fields.filter((name) => !said(name));
    if (missing.length === 0) return;
    const short = spec.otherFields.every(said);
    const which = short
      ? 'the event structure lists for it, but a second document leaves out'
      : 'the documents list for it';
    this.report.at(logged, {
      code: 'event/payload',
      severity: 'warn',
      message: `${type} lacks ${missing.join(', ')}, which ${which}`,
      path: ['details'],
      expected: spec.fields.join(', '),
    });
  }

  #types(logged: LoggedEvent, event: CoordinatorEvent, fields: readonly string[]): void {
    for (const { rule, path, message, expected, actual } of typeIssues(event, fields)) {
      const code = rule === 'range' ? 'event/range' : 'event/field-type';
      this.report.at(logged, { code, message, path, expected, actual });
    }
  }

  #flatField({ stored }: CoordinatorEvent, { fields, otherFields }: TypeSpec): string | undefined {
    return [...fields, ...otherFields].find((name) => !ENVELOPE.has(name) && Object.hasOwn(stored, name));
  }

  #unknown({ logged, event: { type, typeKey } }: Pick<RefusedEvent, 'logged' | 'event'>): void {
    const other = isOtherType(type);
    const unknown = isFormerType(type)
      ? 'is a name from older logs, which had no session ids; it is ignored'
      : 'is not documented; it is ignored';
    this.report.at(logged, {
      code: 'event/unknown-type',
      severity: other ? 'info' : 'warn',
      message: other
        ? `${ticked(type)} is in neither table of types, but other documents use it; it is accepted`
        : `${ticked(type)} ${unknown}`,
      path: [typeKey],
      actual: type,
    });
  }
}
