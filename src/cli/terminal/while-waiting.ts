import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';

/** Says who holds the lock of a log, because the user may wait for half a minute. */
export const sayWhoIsWaitedFor =
  (context: Context) =>
  (holder: string): Promise<void> =>
    context.say(`waiting for ${escapeText(holder)}, which holds the lock of this log`);
