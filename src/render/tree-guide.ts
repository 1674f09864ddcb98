import type { Branch, Place } from '../select/lineage-tree.ts';

/** The width of a branch. */
const STEP = 2;

/** The tree lines left of an event; in a deep tree only the last ones. */
export function treeGuide({ branch, begins }: Place, width: number): string {
  const most = Math.max(2, Math.min(24, Math.floor(width / 4 / STEP)));
  let guides = '';
  let next: Branch | undefined = branch;
  for (let shown = 0; next !== undefined && shown < most; shown += 1, next = next.above) {
    const isOwn = begins && shown === 0;
    guides = (isOwn ? (next.isLast ? '╰╴' : '├╴') : next.isLast ? '  ' : '│ ') + guides;
  }
  return (next === undefined ? '' : '…') + guides;
}
