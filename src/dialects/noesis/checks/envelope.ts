import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { eventSchema } from '../schema/event.ts';
import { isOneOf, PHASES } from '../vocabulary.ts';

/** What the runtime always writes and the documents leave out. */
const EXPECTED_KEYS = ['timestamp', 'episode_id', 'evidence_ids'] as const;

const FACULTIES = ['intuition', 'direction', 'governance', 'insight'] as const;

/** Phases in which older runtimes wrote no id. */
const WITHOUT_ID = new Set<unknown>(['insight', 'memory']);

/** The envelope of each event (noesis.md §2.1). */
export class EnvelopeCheck implements EventCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { event } = logged;
    for (const { path, missing, message, expected, actual } of schemaIssues(eventSchema, event)) {
      const older = missing && path[0] === 'id' && WITHOUT_ID.has(event['phase']);
      this.#report.at(logged, {
        code: missing ? 'event/missing-field' : 'event/wrong-type',
        message: older ? `${message}, as older runtimes wrote ${String(event['phase'])} events` : message,
        path,
        expected,
        ...(!missing && { actual }),
        ...(older && { severity: 'warn' }),
      });
    }
    for (const key of EXPECTED_KEYS) {
      if (event[key] !== undefined) continue;
      this.#report.at(logged, {
        code: 'event/missing-field',
        severity: 'warn',
        message: `${key} is missing: the documents allow it, and every runtime writes it`,
        path: [key],
      });
    }
    const { phase, faculty } = event;
    if (typeof phase === 'string' && !isOneOf(PHASES, phase)) {
      const message = `\`${phase}\` is none of the ${PHASES.length} known phases: read as an extension`;
      this.#report.at(logged, { code: 'event/unknown-phase', message, path: ['phase'] });
    }
    if (typeof faculty === 'string' && !isOneOf(FACULTIES, faculty)) {
      const message = `faculty \`${faculty}\` is none of ${FACULTIES.join(', ')}`;
      this.#report.at(logged, { code: 'event/vocabulary', message, path: ['faculty'] });
    }
  }
}
