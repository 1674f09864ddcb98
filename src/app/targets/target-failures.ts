import { FileError, isFileError, isOfTarget, reasonOf } from '../../errors.ts';
import type { Context } from '../context.ts';
import { reportFailure } from '../report-failure.ts';

/** An error of a file system, which may have no path or that of a copy, as that of a file; `error` itself if it is another one. */
export const namedError = (error: unknown, file: string): unknown =>
  isFileError(error)
    ? new FileError('unreadable', `cannot read ${file}: ${reasonOf(error)}`, {
        place: { file },
        cause: error,
      })
    : error;

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
    const named = namedError(error, file);
    if (this.#isOnly) throw named;
    await this.say(named);
  }

  /** Reports an error, and counts it. */
  async say(error: unknown): Promise<void> {
    this.count += 1;
    await reportFailure(this.#context.io, error, this.#context.options);
  }
}
