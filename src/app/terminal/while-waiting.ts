import { escapeText } from '../../render/escape.ts';
import type { Context } from '../context.ts';

/** Says who holds the lock of a log that is to be written to: without it half a minute passes in silence. */
export const sayWhoIsWaitedFor =
  (context: Context) =>
  (holder: string): Promise<void> =>
    context.say(`waiting for ${escapeText(holder)}, which holds the lock of this log`);
