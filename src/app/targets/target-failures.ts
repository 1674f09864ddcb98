import { FileError, isFileError, isOfTarget, reasonOf } from '../../errors.ts';
import type { Context } from '../context.ts';
import { reportFailure } from '../report-failure.ts';

/** Names targets that cannot be read, so that the others still are. */
export class TargetFailures {
  readonly #context: Context;
  readonly #isOnly: boolean;
  /** The number of targets that were named. */
  count = 0;

  constructor(context: Context, targets: readonly unknown[]) {
    this.#context = context;
    this.#isOnly = targets.length === 1;
  }

  /** Throws errors that are not about a target, and that of the only target. `file` names the target's log. */
  async take(error: unknown, file: string): Promise<void> {
    if (!isOfTarget(error)) throw error;
    // Not every error of a file system has a path, and that of a copy helps nobody.
    const named = isFileError(error)
      ? new FileError('unreadable', `cannot read ${file}: ${reasonOf(error)}`, {
          place: { file },
          cause: error,
        })
      : error;
    if (this.#isOnly) throw named;
    await this.say(named);
  }

  /** Reports an error, and counts it. */
  async say(error: unknown): Promise<void> {
    this.count += 1;
    await reportFailure(this.#context.io, error, this.#context.options);
  }
}
