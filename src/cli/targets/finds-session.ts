import { isOfTarget } from '../../base/errors.ts';
import type { RootSearch } from '../../find/root.ts';
import { resolveTarget } from '../../find/target.ts';

/** Whether a command that is given the id of a session finds it, and not only the log of its `part`, which may have that id. */
export async function findsSession(search: RootSearch, id: string, part: string): Promise<boolean> {
  try {
    const found = await resolveTarget(id, search);
    return found.kind === 'episode' && found.episode.log !== part;
  } catch (error) {
    if (isOfTarget(error)) return false;
    throw error;
  }
}
