import type { JsonObject } from '../../../base/json/value.ts';
import { ticked } from '../../../base/json/write.ts';
import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { LastText } from '../../../log/last-text.ts';
import type { Row } from '../../../log/row.ts';
import { fits } from '../../../log/schema/fits.ts';
import { textIn } from '../../kit/members.ts';
import { reportDoubts } from '../../kit/rules.ts';
import { conflictDoubts, lacksDetails } from '../content.ts';
import { hasOffset, readEvent } from '../read.ts';
import { COLUMN } from '../rows.ts';
import { compatibleEventSchema, eventSchema } from '../schema/event.ts';
import { RECOVERY_TYPES } from '../vocabulary.ts';

/** Members that are needed to place and attribute an event. The others are only described. */
const NEEDED = new Set<unknown>(['timestamp', 'event_type', 'session_id']);

/** Members that some events lack. Each is reported once per log, as an info. */
const DESCRIBED = ['sequence', 'agent_id', 'task_id', 'details'] as const;

type Described = (typeof DESCRIBED)[number];

/** Whether a valid time has an offset. One that ends in Z always has a clock, so most texts are not made. */
const isAware = (stamp: LastText): boolean => stamp.endsWith('Z') || hasOffset(stamp.text as string);

/** Whether an event lacks a member, in all places where it may be (coordinator.md §2). */
function lacks(event: JsonObject, key: Described): boolean {
  const value = event[key];
  switch (key) {
    case 'sequence':
      return value === undefined || value === null;
    case 'details':
      return lacksDetails({ stored: event });
    default:
      return (
        value === undefined && readEvent(event)?.[key === 'agent_id' ? 'agentId' : 'taskId'] === undefined
      );
  }
}

/** Checks the envelope, the order of times, and members with two values (coordinator.md §2, §8). */
export class EnvelopeCheck extends ReportingCheck {
  /** The last event, separately for times with and without offset, because these cannot be compared. */
  readonly #previous = new Map<boolean, { instant: number; stamp: LastText; line: number }>();
  #stamp = new LastText(COLUMN.timestamp);

  refused(logged: LoggedEvent): void {
    if (!fits(eventSchema, logged.event)) this.#explain(logged);
    reportDoubts(this.report, logged, conflictDoubts(logged.event));
  }

  row(row: Row): void {
    const instant = row.time(COLUMN.timestamp);
    if (Number.isNaN(instant)) this.#noInstant(row);
    else this.#order(row, instant);
  }

  #explain(logged: LoggedEvent): void {
    const { event } = logged;
    const misnamed = event['event_type'] === undefined && typeof event['event'] === 'string';
    for (const { path, missing, message, expected, actual } of schemaIssues(compatibleEventSchema, event)) {
      const [key] = path;
      if (misnamed && key === 'event_type') continue;
      this.report.at(logged, {
        code: missing ? 'event/missing-field' : 'event/wrong-type',
        message,
        path,
        expected,
        ...(!missing && { actual }),
        ...(!NEEDED.has(key) && { severity: 'warn' }),
      });
    }
    if (misnamed) {
      const message = 'the type is in `event`, where readers do not look for it; it belongs in `event_type`';
      this.report.at(logged, { code: 'event/missing-field', severity: 'warn', message, path: ['event'] });
    }
    // Events that rebuild a lost log are flat, and lack these members.
    if (!RECOVERY_TYPES.has(textIn(event, 'event_type') ?? '')) this.#noteLacks(logged);
  }

  #noteLacks(logged: LoggedEvent): void {
    for (const key of DESCRIBED) {
      if (!lacks(logged.event, key)) continue;
      const path = logged.event[key] === null ? [key] : [];
      const remark = { code: 'event/missing-field', severity: 'info', path } as const;
      this.report.once(`lacks ${key}`, logged, remark, (count) => {
        const events = count === 1 ? 'one event' : `${count} events, here for the first time`;
        const instead = key === 'agent_id' || key === 'task_id' ? ', with null if it has no value' : '';
        return `${key} is missing in ${events}; the documents show it in every event${instead}`;
      });
    }
  }

  #noInstant(row: Row): void {
    const text = row.text(COLUMN.timestamp);
    if (text === undefined) return;
    const message = `${ticked(text)} is not an ISO 8601 time`;
    this.report.at(row, { code: 'event/timestamp', message, path: ['timestamp'], actual: text });
  }

  #order(row: Row, instant: number): void {
    const stamp = this.#stamp;
    stamp.see(row);
    const aware = isAware(stamp);
    const before = this.#previous.get(aware);
    const { line } = row;
    if (before === undefined) {
      this.#previous.set(aware, { instant, stamp, line });
      this.#stamp = new LastText(COLUMN.timestamp);
      return;
    }
    if (instant < before.instant) {
      this.report.at(row, {
        code: 'event/time-order',
        message: `stamped ${stamp.text}, before the event on line ${before.line} (${before.stamp.text})`,
        path: ['timestamp'],
      });
    }
    // Reuses both objects, so that records need no new ones.
    this.#stamp = before.stamp;
    before.stamp = stamp;
    before.instant = instant;
    before.line = line;
  }
}
