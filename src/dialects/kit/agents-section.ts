import { atLeastCell, countText } from '../../base/text/count.ts';
import { COUNTED_IN, type CountedIn, type SubagentUse } from './account.ts';
import { excerptOf } from './excerpt.ts';
import { failedText } from './failed-calls.ts';
import { stepCost } from './prices.ts';
import { tableSection, type ViewSection, viewCell } from './state-view.ts';
import { lacksCalls } from './usage-words.ts';

/** The longest title of a subagent, so that its id has room on a terminal. */
const LONGEST_TITLE = 40;

/** The words of programs for a subagent that did not end well. */
const FAILED = /^(?:error|fail|abort|crash|kill|timed?.?out)/i;

/** Whether a subagent with this status did not end well. */
export const endedBadly = (status: string): boolean => FAILED.test(status);

const isFailed = ({ status = '' }: SubagentUse): boolean => endedBadly(status);

/** The calls of a subagent: `3, 1 failed`. */
const callsOf = ({ calls, failed = 0, lacks, ...agent }: SubagentUse): string =>
  calls === undefined
    ? ''
    : [atLeastCell(lacksCalls(lacks), calls), failedText({ ...agent, failed })]
        .filter((text) => text !== '')
        .join(', ');

const COUNTED_TEXTS: Readonly<Record<CountedIn, string>> = {
  step: 'are in the total and in the turns',
  total: 'are in the total, but in no turn',
  nothing: 'are not in the total, because the log is missing',
};

/** The tokens of subagents that count somewhere. */
const tokensIn = (agents: readonly SubagentUse[], where: CountedIn): number =>
  agents.reduce((all, one) => all + (one.counted === where ? (one.tokens ?? 0) : 0), 0);

/** Where the tokens of subagents count: `2,469 tokens are in the total, but in no turn`. */
function countedText(agents: readonly SubagentUse[]): string {
  const texts = COUNTED_IN.flatMap((where) => {
    const sum = tokensIn(agents, where);
    return sum === 0 ? [] : [`${countText(sum)} tokens ${COUNTED_TEXTS[where]}`];
  });
  return texts.join('; ');
}

/** At most this many are named if there is no room for the table. */
const MOST_NAMED = 2;

/** How many subagents there are, and those that used the most tokens. */
function shortOf(agents: readonly SubagentUse[]): string {
  const largest = agents.toSorted((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0)).slice(0, MOST_NAMED);
  const names = largest.map(({ title = '', id }) =>
    excerptOf(title === '' ? (id ?? '') : title, LONGEST_TITLE),
  );
  const apart = tokensIn(agents, 'total');
  // Without them, the turns do not add up to the total.
  const used = apart === 0 ? '' : `, with ${countText(apart)} tokens in no turn`;
  return `${countText(agents.length)}${used}: ${names.join('; ')}${agents.length > names.length ? '; …' : ''}`;
}

/** The subagents of a session, with what each of them did and cost, if that is known. */
export function agentsSection(agents: readonly SubagentUse[]): ViewSection[] {
  const hasCost = agents.some(({ cost }) => stepCost(cost) !== '');
  const hasCalls = agents.some((agent) => callsOf(agent) !== '');
  const rows = agents.map((agent) => {
    const { id, title = '', status, tokens, cost, lacks, line } = agent;
    return [
      viewCell(String(line), 'muted'),
      isFailed(agent) ? viewCell(status, 'bad') : viewCell(status),
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
  const counted = countedText(agents);
  return tableSection('Subagents', columns, rows).map(({ table, ...section }) => ({
    ...section,
    short: shortOf(agents),
    ...(table && { table: { ...table, keeps_bad: true } }),
    ...(counted !== '' && { lines: [{ text: counted, tone: 'muted' }] }),
    ...(agents.some(isFailed) && { is_urgent: true }),
  }));
}
