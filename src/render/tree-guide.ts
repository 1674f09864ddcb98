import type { Branch } from '../select/lineage-tree.ts';

/** The columns of one branch. */
const STEP = 2;

/** The lines that lead to an event from the left; of one in many branches the last ones, as there is no room for all. */
export function treeGuide({ isLast, begins }: Branch, width: number): string {
  const most = Math.max(2, Math.min(24, Math.floor(width / 4 / STEP)));
  const shown = isLast.slice(-most);
  const more = isLast.length > shown.length ? '…' : '';
  const guides = shown.map((last, at) => {
    const isOwn = begins && at === shown.length - 1;
    if (isOwn) return last ? '╰╴' : '├╴';
    return last ? '  ' : '│ ';
  });
  return more + guides.join('');
}
