import { atLeastCell, countText } from '../../base/text/count.ts';
import type { SubagentUse } from './account.ts';
import { excerptOf } from './excerpt.ts';
import { stepCost } from './prices.ts';
import { tableSection, type ViewSection, viewCell } from './state-view.ts';

/** The longest title of a subagent, so that its id has room on a terminal. */
const LONGEST_TITLE = 40;

/** The calls of a subagent: `3, 1 failed`. */
const callsOf = ({ calls, failed = 0, lacks }: SubagentUse): string =>
  calls === undefined
    ? ''
    : `${atLeastCell(lacks?.lines !== undefined, calls)}${failed === 0 ? '' : `, ${failed} failed`}`;

/** The subagents of a session, with what each of them did and cost, if that is known. */
export function agentsSection(agents: readonly SubagentUse[]): ViewSection[] {
  const hasCost = agents.some(({ cost }) => stepCost(cost) !== '');
  const hasCalls = agents.some((agent) => callsOf(agent) !== '');
  const rows = agents.map((agent) => {
    const { id, title = '', status, tokens, cost, lacks, line } = agent;
    return [
      viewCell(String(line), 'muted'),
      viewCell(status),
      ...(hasCalls ? [viewCell(callsOf(agent))] : []),
      viewCell(tokens === undefined ? '' : atLeastCell(lacks !== undefined, countText(tokens))),
      ...(hasCost ? [viewCell(stepCost(cost))] : []),
      viewCell(excerptOf(title, LONGEST_TITLE)),
      viewCell(id, 'muted'),
    ];
  });
  const columns = [
    'LINE',
    'STATUS',
    ...(hasCalls ? ['CALLS'] : []),
    'TOKENS',
    ...(hasCost ? ['COST'] : []),
    'WHAT',
    'ID',
  ];
  return tableSection('Subagents', columns, rows);
}
