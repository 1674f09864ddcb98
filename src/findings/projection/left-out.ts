import { formatPath, type JsonPath } from '../../base/json/path.ts';
import { isObject } from '../../base/json/value.ts';
import type { NotCompared } from './projector.ts';

/** Why part of a stored document was not compared, and the log line that explains it, if any. */
export type Reason = Pick<NotCompared, 'reason' | 'line'>;

/** A tree of paths. */
interface Named {
  /** A path ends here and covers everything below. */
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

/** The members of an object or array with their keys; undefined for scalars. */
function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] | undefined {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : undefined;
}

/**
 * Lists the parts of a stored document that no path covers, with as few paths as possible. `named` are the
 * paths that were compared or listed already; each covers everything below it. Together they account for the
 * whole document.
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
