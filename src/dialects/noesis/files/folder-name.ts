import { realpathSync } from 'node:fs';
import { basename } from 'node:path';

/** Whether the name of a folder is an id. Users also choose other names. */
export const isEpisodeId = (name: string): boolean => name.startsWith('ep_');

/** The name of an episode's folder. For a link such as `current`, which is not an id, the name behind the link. */
export function folderName(dir: string): string {
  const name = basename(dir);
  return isEpisodeId(name) ? name : basename(realpathSync(dir));
}
