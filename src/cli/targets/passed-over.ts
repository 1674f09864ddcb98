import { type Episode, pathOf } from '../../find/episode.ts';
import { passedOverText } from '../../find/passed-over.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';

/** Reports paths that may be logs, and links that may lead to logs, if they were not read. */
export async function sayPassedOver(
  context: Context,
  paths: readonly string[],
  episodes: readonly Pick<Episode, 'dir' | 'log' | 'link'>[] = [],
): Promise<void> {
  const shown = (path: string) => context.shortPath(path);
  const links = episodes.filter(({ link }) => link).map(pathOf);
  const parts = [
    passedOverText(paths, shown),
    passedOverText(links, shown, () => 'a link is not followed'),
  ].filter((part) => part !== '');
  if (parts.length > 0) await context.say(escapeText(`not read: ${parts.join(', ')}`));
}
