import type { JsonObject } from '../../base/json/value.ts';
import { PlainTextIndex } from '../../log/text-index.ts';
import { planEvent } from './plan-event.ts';
import { readEvent } from './read.ts';
import { CoordinatorRun } from './run.ts';
import { RevisionReader } from './upcasters.ts';

/** Reads the stored events of a log, which may be in an older form, into a run. */
export class RunReader {
  readonly run: CoordinatorRun;
  readonly #revisions: RevisionReader;

  constructor(run = new CoordinatorRun(new PlainTextIndex()), revisions = new RevisionReader()) {
    this.run = run;
    this.#revisions = revisions;
  }

  take(stored: JsonObject, line: number): void {
    const current = this.#revisions.read(stored);
    const event = readEvent(current);
    if (event !== undefined) this.run.take(planEvent(event, this.run, current !== stored), line);
  }

  copy(): RunReader {
    return new RunReader(this.run.copy(), this.#revisions.copy());
  }
}
