import { passedOverText } from '../../discover/passed-over.ts';
import { escapeText } from '../../render/escape.ts';
import type { Context } from '../context.ts';

/** Says which paths below folders may be logs and were not read; nothing if there are none. */
export async function sayPassedOver(
  context: Context,
  paths: readonly string[],
  links: readonly string[] = [],
): Promise<void> {
  const shown = (path: string) => context.shortPath(path);
  const parts = [
    passedOverText(paths, shown),
    passedOverText(links, shown, () => 'a link is not followed'),
  ].filter((part) => part !== '');
  if (parts.length > 0) await context.say(escapeText(`not read: ${parts.join(', ')}`));
}
