import { isOfTarget } from '../../base/errors.ts';
import { wholeNear } from '../../find/find.ts';
import type { RootSearch } from '../../find/root.ts';
import { resolveTarget } from '../../find/target.ts';

/** Whether a command that is given the id of a session finds it, and not only the log of its `part`, which may have that id. */
async function isFound(search: RootSearch, id: string, part: string): Promise<boolean> {
  try {
    const found = await resolveTarget(id, search);
    return found.kind === 'episode' && found.episode.log !== part;
  } catch (error) {
    if (isOfTarget(error)) return false;
    throw error;
  }
}

/**
 * What a command needs to find the session of a part: its id, or the path of a log that is not where the logs of its program
 * usually are, but where this part belongs to it. Undefined if the session is not found.
 */
export async function targetOfWhole(
  search: RootSearch,
  id: string,
  part: string,
): Promise<string | undefined> {
  return (await isFound(search, id, part)) ? id : wholeNear(id, part);
}
