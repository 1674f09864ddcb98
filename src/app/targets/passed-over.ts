import { type Episode, pathOf } from '../../discover/find.ts';
import { passedOverText } from '../../discover/passed-over.ts';
import { reasonFor } from '../../errors.ts';
import { escapeText } from '../../render/escape.ts';
import type { Context } from '../context.ts';

/** Says which paths may be logs, and which folders may have some, and were not read; nothing if there are none. */
export async function sayPassedOver(
  context: Context,
  paths: readonly string[],
  episodes: readonly Omit<Episode, 'name'>[] = [],
): Promise<void> {
  const shown = (path: string) => context.shortPath(path);
  const links = episodes.filter(({ link }) => link).map(pathOf);
  const unlisted = new Map(episodes.flatMap((one) => (one.unlisted ? [[pathOf(one), one.unlisted]] : [])));
  const parts = [
    passedOverText(paths, shown),
    passedOverText(links, shown, () => 'a link is not followed'),
    passedOverText([...unlisted.keys()], shown, (path) => reasonFor(unlisted.get(path) ?? '')),
  ].filter((part) => part !== '');
  if (parts.length > 0) await context.say(escapeText(`not read: ${parts.join(', ')}`));
}
