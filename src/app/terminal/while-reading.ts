import type { Context } from '../context.ts';
import type { OpenLog } from '../targets/open-log.ts';

/** Reads a log with a progress display. */
export async function whileReading<T>(
  context: Context,
  log: Pick<OpenLog, 'label' | 'path'>,
  read: (onBytes?: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  if (!context.io.stderr.isTTY) return read();
  const { readingProgress } = await import('./progress.ts');
  const progress = readingProgress(context, log);
  try {
    return await read(progress.update);
  } finally {
    progress.stop();
  }
}
