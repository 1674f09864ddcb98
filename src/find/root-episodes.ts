import { basename, dirname, join } from 'node:path';
import { pushAll } from '../base/files/push-all.ts';
import { byText } from '../base/text/order.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { episodeFolders, folderDialect, idPrefixOf } from '../dialects/registry.ts';
import { type Episode, pathOf } from './episode.ts';
import { type Search, searchFolder } from './find.ts';
import { entriesOf, episodesIn, unlistable, unnameable } from './folder-contents.ts';
import type { Root } from './root.ts';

/** Where the runtime writes the episodes of a root. */
export const canonicalFolder = ({ dir }: Root): string =>
  join(dir, folderDialect(basename(dir)).folder.episodes);

/**
 * The folders of a root that may contain episodes: the canonical one, then those of older runtimes (noesis.md
 * §1.1).
 */
function foldersOf(root: Root): string[] {
  const { dir, runsDir } = root;
  const older = [dir, ...episodeFolders().map(({ root }) => join(dirname(dir), root))].map((one) =>
    join(one, 'runs'),
  );
  const configured =
    runsDir === undefined ? [] : [runsDir, join(runsDir, 'runs'), join(dirname(runsDir), 'runs')];
  return [...new Set([canonicalFolder(root), ...configured, ...older])].filter((folder) => folder !== dir);
}

/** The possible place of an episode, not read yet, and its name. */
export interface EpisodePlace {
  readonly name: string;
  readonly dir: string;
  /** Why it cannot be read. */
  readonly unlisted?: string;
}

/** Lists the episodes in a folder of a root. `labelled`: its subfolders may group episodes. */
async function placesIn(folder: string, labelled: boolean): Promise<EpisodePlace[]> {
  const places: EpisodePlace[] = [];
  for (const entry of await entriesOf(folder)) {
    if (entry.unnameable === 'folder') places.push(unnameable(folder, entry));
    if (!entry.isDirectory()) continue;
    const dir = join(folder, entry.name);
    if (idPrefixOf(entry.name) !== '') {
      places.push({ name: entry.name, dir });
      continue;
    }
    // The name is not an id: an episode with a custom name, or a label that groups episodes, or both.
    const { episodes, folders, owned } = await episodesIn(dir);
    const isLabel = episodes.length === 0;
    if (!isLabel) places.push({ name: entry.name, dir });
    if (owned || !labelled) continue;
    for (const inner of folders) {
      const name = basename(inner);
      if (isLabel || idPrefixOf(name) !== '') places.push({ name, dir: inner });
    }
  }
  return places;
}

/** The places of all episodes of a root. Of two with the same name the first counts, as in the runtime. */
export async function episodePlaces(root: Root): Promise<EpisodePlace[]> {
  const places = new Map<string, EpisodePlace>();
  for (const folder of foldersOf(root)) {
    for (const place of await placesIn(folder, basename(folder) === basename(canonicalFolder(root))))
      if (!places.has(place.name)) places.set(place.name, place);
  }
  return [...places.values()].sort((a, b) => byText(a.name, b.name));
}

/**
 * Every episode of a root, sorted by path, including those that the runtime does not see because another has
 * the same name. `dialect`: the one that the user named.
 */
export async function episodesOf(root: Root, dialect?: DialectName): Promise<Search> {
  const found = new Map<string, Episode>();
  const passedOver: string[] = [];
  const add = (episodes: readonly Episode[]) => {
    for (const episode of episodes) found.set(episode.log ?? pathOf(episode), episode);
  };
  const search = async (folder: string) => {
    const below = await searchFolder(folder, dialect);
    add(below.episodes);
    pushAll(passedOver, below.passedOver);
  };
  for (const folder of foldersOf(root)) {
    if (folder === canonicalFolder(root)) await search(folder);
    else {
      try {
        for (const place of await placesIn(folder, false))
          if (place.unlisted === undefined) await search(place.dir);
          else add([{ ...place, log: undefined }]);
      } catch (error) {
        add(unlistable(folder, error).episodes);
      }
    }
  }
  const episodes = [...found.entries()].sort(([a], [b]) => byText(a, b)).map(([, episode]) => episode);
  return { episodes, passedOver: [...new Set(passedOver)] };
}
