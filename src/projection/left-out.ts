import { formatPath, type JsonPath } from '../json/path.ts';
import { isObject } from '../json/value.ts';
import type { NotCompared } from './projector.ts';

/** Why a part of a stored document was not compared, and the line of the log that explains it, if there is one. */
export type Reason = Pick<NotCompared, 'reason' | 'line'>;

/** The paths that an answer names, as a tree. */
interface Named {
  /** A path ends here: it stands for all below. */
  whole: boolean;
  readonly below: Map<string | number, Named>;
}

const nothingNamed = (): Named => ({ whole: false, below: new Map() });

function treeOf(paths: Iterable<JsonPath>): Named {
  const root = nothingNamed();
  for (const path of paths) {
    let node = root;
    for (const segment of path) {
      const next = node.below.get(segment) ?? nothingNamed();
      node.below.set(segment, next);
      node = next;
    }
    node.whole = true;
  }
  return root;
}

/** Members of an object or array, with their keys; undefined for every other value. */
function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] | undefined {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : undefined;
}

/**
 * Lists every part of a stored document that an answer does not name yet, as few paths as possible: a part of which
 * nothing was compared is listed once, not member by member. `named` are the paths that were compared or listed
 * already; each stands for all below it. With this list an answer accounts for the whole document.
 */
export function leftOut(
  stored: unknown,
  named: Iterable<JsonPath>,
  reasonFor: (path: string) => Reason,
): NotCompared[] {
  const found: NotCompared[] = [];
  const visit = (value: unknown, tree: Named, path: JsonPath): void => {
    for (const [key, member] of membersOf(value) ?? []) {
      const named = tree.below.get(key);
      const here = [...path, key];
      if (named?.whole) continue;
      if (named && membersOf(member)) visit(member, named, here);
      else {
        const text = formatPath(here);
        found.push({ path: text, ...reasonFor(text) });
      }
    }
  };
  visit(stored, treeOf(named), []);
  return found;
}
