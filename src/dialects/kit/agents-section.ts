import { countText } from '../../base/text/count.ts';
import type { SubagentUse } from './account.ts';
import { excerptOf } from './excerpt.ts';
import { stepCost } from './prices.ts';
import { tableSection, type ViewSection, viewCell } from './state-view.ts';

/** The longest title of a subagent, so that its id has room on a terminal. */
const LONGEST_TITLE = 40;

/** The subagents of a session, with what each of them cost, if that is known. */
export function agentsSection(agents: readonly SubagentUse[]): ViewSection[] {
  const hasCost = agents.some(({ cost }) => stepCost(cost) !== '');
  const rows = agents.map(({ id, title = '', status, tokens, cost, line }) => [
    viewCell(String(line), 'muted'),
    viewCell(status),
    viewCell(tokens === undefined ? '' : countText(tokens)),
    ...(hasCost ? [viewCell(stepCost(cost))] : []),
    viewCell(excerptOf(title, LONGEST_TITLE)),
    viewCell(id, 'muted'),
  ]);
  const columns = ['LINE', 'STATUS', 'TOKENS', ...(hasCost ? ['COST'] : []), 'WHAT', 'ID'];
  return tableSection('Subagents', columns, rows);
}
