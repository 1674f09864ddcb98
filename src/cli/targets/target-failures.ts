import { cannotRead, isFileError, isOfTarget, type NoesisError, reasonOf } from '../../base/errors.ts';
import type { Corruption } from '../../log/corruption.ts';
import { plural } from '../../show/render/tally.ts';
import type { Context } from '../context.ts';
import { corruptLog } from '../failure.ts';
import { reportFailure } from '../report-failure.ts';

/**
 * Adds the path of a file to an error of the file system, whose own path may be missing or that of a copy. Returns other
 * errors unchanged.
 */
export const namedError = (error: unknown, file: string): unknown =>
  isFileError(error) ? cannotRead(file, reasonOf(error), error) : error;

/** In text, at most this many damaged logs are named. */
const MOST_NAMED = 3;

/** Reports targets that cannot be read, so that the others are still read. */
export class TargetFailures {
  readonly #context: Context;
  readonly #isOnly: boolean;
  /** The first damaged logs, which are named below what the command prints. */
  readonly #named: NoesisError[] = [];
  #corrupt = 0;
  /** The number of reported targets. */
  count = 0;

  /** The number of reported targets that are damaged logs. */
  get damaged(): number {
    return this.#corrupt;
  }

  constructor(context: Context, targets: readonly unknown[]) {
    this.#context = context;
    this.#isOnly = targets.length === 1;
  }

  /** Reports an error about a target. Throws other errors, and the error of the only target. `file`: the target's log. */
  async take(error: unknown, file: string): Promise<void> {
    if (!isOfTarget(error)) throw error;
    const named = namedError(error, file);
    if (this.#isOnly) throw named;
    await this.say(named);
  }

  /**
   * Counts a corrupt log. `-j` reports each at once; in text, {@link sayCorrupt} reports the first few, because lines above
   * a table or between its rows are hard to see. `offers`: the command has `--partial`.
   */
  async takeCorrupt(label: string, corruption: Corruption, offers: boolean): Promise<void> {
    this.#corrupt += 1;
    const error = corruptLog(label, corruption, { offers, isOneOfMany: !this.#isOnly });
    if (this.#context.json) return await this.say(error);
    this.count += 1;
    if (this.#corrupt <= MOST_NAMED) this.#named.push(error);
  }

  /** Reports the corrupt logs: each in one line if there are other targets, the first few, and how many there are more. */
  async sayCorrupt(): Promise<void> {
    for (const error of this.#named) await reportFailure(this.#context.io, error, this.#context.options);
    const more = this.#corrupt - this.#named.length;
    if (more > 0 && !this.#context.json)
      await this.#context.say(`and ${plural(more, 'more damaged log')}; noesis verify names all`);
  }

  /** Reports the corrupt logs, and how many are missing from the answer if there are other targets. `-j` has one error for each. */
  async sayLeftOut(): Promise<void> {
    await this.sayCorrupt();
    if (this.#corrupt === 0 || this.#isOnly || this.#context.json) return;
    const what = plural(this.#corrupt, 'damaged log');
    await this.#context.say(`${what} left out; add --partial to read the intact records`);
  }

  /** Reports an error, and counts it. */
  async say(error: unknown): Promise<void> {
    this.count += 1;
    await reportFailure(this.#context.io, error, this.#context.options);
  }
}
