import { type ErrorCode, type ErrorPlace, NoesisError } from '../../base/errors.ts';
import { type BatchOutcome, type ExportBatch, type ExportSettings, exportBatch } from './batch.ts';

/** A thread's answer about a batch, which can be posted to another thread. */
export type ThreadAnswer =
  | { readonly outcome: BatchOutcome }
  | {
      readonly failure: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly place: ErrorPlace;
        readonly hint: string | undefined;
      };
    }
  | { readonly error: unknown };

/** Works on a batch. Error classes do not survive posting, so errors are sent as data. */
export async function answerTo(batch: ExportBatch, settings: ExportSettings): Promise<ThreadAnswer> {
  try {
    return { outcome: await exportBatch(batch, settings) };
  } catch (error) {
    if (!(error instanceof NoesisError)) return { error };
    const { code, message, place, hint } = error;
    return { failure: { code, message, place, hint } };
  }
}

/** The result of a batch. Throws what the thread threw. */
export function outcomeOf(answer: ThreadAnswer): BatchOutcome {
  if ('outcome' in answer) return answer.outcome;
  if ('error' in answer) throw answer.error;
  const { code, message, ...details } = answer.failure;
  throw new NoesisError(code, message, details);
}
