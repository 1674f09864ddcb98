import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { type Evidence, sourceOf } from '../../../findings/projection/evidence.ts';
import type { Comparison, Projection, Projector } from '../../../findings/projection/projector.ts';
import type { LogRecord } from '../../../log/record.ts';
import { eventIdOf } from '../identity.ts';
import { inKnownVersion, nothingRegistered, type Registered } from '../registered.ts';
import { compareWithState, type Folds } from './comparison.ts';
import { changesOf, type WaitingComparison, withoutChanges } from './waiting.ts';
import { partOf, partsOf, STATE_PARTS, WorkflowFold } from './workflow.ts';

/** The event behind a projected value. */
export function evidenceOf(event: JsonObject, line: number): Evidence {
  return sourceOf(eventIdOf(event), line);
}

/** Rebuilds the parts of `<stream>.state.json` that the log has evidence for (exarchos.md §12). */
export class ExarchosProjector implements Projector {
  readonly #all = new WorkflowFold('all-events');
  readonly #registered: Registered;
  readonly #file = new WorkflowFold('state-file');
  #last: Folds['last'];
  #checkpoint: Folds['checkpoint'];

  /** `registered`: custom schema versions. Events of unknown versions are read unchanged. */
  constructor(registered: Registered = nothingRegistered()) {
    this.#registered = registered;
  }

  add(record: LogRecord): void {
    this.addEvent(record.shown, record.line);
  }

  /** Adds the event on `line`. */
  addEvent(stored: JsonObject, line: number): void {
    const event = inKnownVersion(stored, this.#registered) ?? stored;
    let known: Evidence | undefined;
    // Computed on demand, because most events change nothing.
    const source = () => {
      known ??= evidenceOf(stored, line);
      return known;
    };
    this.#all.add(event, source);
    this.#file.add(event, source);
    const { sequence, type, data } = event;
    if (type === 'workflow.checkpoint' && isObject(data) && typeof data['phase'] === 'string')
      this.#checkpoint = { phase: data['phase'], source: source() };
    if (typeof sequence === 'number' && sequence > (this.#last?.sequence ?? 0))
      this.#last = { sequence, source: source() };
  }

  result(): Projection {
    const { document, sources } = this.#all;
    const value: Record<string, unknown> = {};
    for (const part of partsOf(document)) {
      const projected = partOf(document, part);
      if (projected !== undefined) value[part] = projected;
    }
    if (document['workflowType'] === 'oneshot') {
      const policy = isObject(value['oneshot']) ? value['oneshot'] : {};
      value['oneshot'] = { ...policy, synthesisRequested: this.#all.synthesisRequested };
    }
    return {
      value,
      evidence: sources.toMap(),
      // Only one type of workflow has it, and only if its start mentions it.
      underivable: STATE_PARTS.filter((part) => part !== 'oneshot' && !Object.hasOwn(document, part)),
    };
  }

  /**
   * Compares with a stored state file, except what the events in `waiting` can change. They are to be merged after the
   * log.
   */
  compareWaiting(stored: unknown, waiting: readonly JsonObject[]): WaitingComparison {
    const comparison = this.compare(stored);
    return withoutChanges(comparison, changesOf([this.#file, this.#all], waiting, this.#registered));
  }

  /** Compares with a stored state file. */
  compare(stored: unknown): Comparison {
    return compareWithState(
      { file: this.#file, all: this.#all, last: this.#last, checkpoint: this.#checkpoint },
      stored,
    );
  }
}
