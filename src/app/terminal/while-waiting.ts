import { escapeText } from '../../render/escape.ts';
import type { Context } from '../context.ts';

/** Says who holds a log's lock, because otherwise nothing would happen for half a minute. */
export const sayWhoIsWaitedFor =
  (context: Context) =>
  (holder: string): Promise<void> =>
    context.say(`waiting for ${escapeText(holder)}, which holds the lock of this log`);
