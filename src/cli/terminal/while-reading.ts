import { sizeOf } from '../../base/files/paths.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';
import type { OpenLog } from '../targets/open-log.ts';

/** Reads a log with a progress display. */
export async function whileReading<T>(
  context: Context,
  { label, path }: Pick<OpenLog, 'label' | 'path'>,
  read: (onBytes?: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  if (!context.io.stderr.isTTY) return read();
  const { startProgress } = await import('./progress.ts');
  const doing = `reading ${escapeText(label)}`;
  const progress = startProgress(context, { doing, unit: 'bytes', total: sizeOf(path) });
  try {
    return await read(progress.update);
  } finally {
    progress.stop();
  }
}
