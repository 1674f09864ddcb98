import { atLeastCell, countText } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { Account, AccountStep } from '../../dialects/kit/account.ts';
import { agentsSection } from '../../dialects/kit/agents-section.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { filesSection } from '../../dialects/kit/files-section.ts';
import { costText, stepCost } from '../../dialects/kit/prices.ts';
import {
  type StateView,
  type Tone,
  tableSection,
  type ViewSection,
  type ViewText,
  viewCell,
  viewFields,
} from '../../dialects/kit/state-view.ts';
import { statusInWords } from '../../dialects/kit/story.ts';
import { byTurnText, type Tokens, tokensText, totalTokens } from '../../dialects/kit/tokens.ts';
import type { RunUsage } from '../../dialects/kit/usage.ts';
import { lacksCalls, lostText, lostTexts, totalText } from '../../dialects/kit/usage-words.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';
import { type AccountFrame, accountHead } from './account-head.ts';
import { placeInLog, whyOf } from './account-reasons.ts';
import { turnMark } from './story-words.ts';
import { plural, withFailed } from './tally.ts';
import { lostIn, toolsOf } from './tools-section.ts';
import { untimedText, waitedText } from './waits.ts';

const duration = (ms: number | undefined, isLeast = false): ViewText => ({
  text: ms === undefined ? '' : atLeastCell(isLeast, formatDuration(ms)),
  tone: 'muted',
});

/** ` (3 calls, 1 failed)`, after the prompt of a turn. */
const callsOf = ({ calls = 0, failed = 0, lacks, ...step }: AccountStep): string =>
  calls === 0 ? '' : ` (${withFailed(calls, 'call', { ...step, failed }, lacksCalls(lacks))})`;

/** Before the prompt of a turn: what is special about it. With lost lines, its calls may belong to a turn whose prompt is lost. */
const flawsOf = ({ lacks = {}, ...step }: AccountStep): string =>
  [turnMark(step), lacksCalls(lacks) ? `(${lostTexts(lacks).join(', ')})` : '']
    .map((flaw) => (flaw === '' ? '' : `${flaw} `))
    .join('');

/** The tokens of a step. */
function tokensCell({ tokens, lacks }: AccountStep): string {
  if (tokens === undefined) return '';
  return tokens === 0 && lacks !== undefined
    ? 'unknown'
    : atLeastCell(lacks !== undefined, countText(tokens));
}

/** What the steps of a run used, each in a column if a step has it. */
const USED: readonly (readonly [title: string, cell: (step: AccountStep) => string])[] = [
  ['TOKENS', tokensCell],
  ['COST', ({ cost }) => stepCost(cost)],
];

/** The steps of a run; those of a session are turns, as in `read`. */
function stepsOf({ steps = [], hasTurns }: Partial<Pick<Account, 'steps' | 'hasTurns'>>): ViewSection[] {
  const used = USED.filter(([, cell]) => steps.some((step) => cell(step) !== ''));
  const columns = [
    'LINE',
    hasTurns ? 'TURN' : 'ID',
    'STATUS',
    'TOOK',
    ...used.map(([title]) => title),
    'WHAT',
  ];
  const rows = steps.map((step): ViewText[] => [
    viewCell(step.line === undefined ? '' : placeInLog({ line: step.line, part: step.part }), 'muted'),
    viewCell(step.id),
    viewCell(statusInWords(step), step.tone),
    duration(step.durationMs, step.lacks?.lines !== undefined),
    ...used.map(([, cell]) => viewCell(cell(step), 'muted')),
    viewCell(`${flawsOf(step)}${step.text}${callsOf(step)}`),
  ]);
  return tableSection(hasTurns ? 'Turns' : 'Steps', columns, rows).map(({ table, ...section }) => ({
    ...section,
    ...(table && { table: { ...table, keeps_last: true } }),
  }));
}

/** The slowest calls by what they did; in other runs the slowest events. */
function slowestOf({ slowest, account }: LogAccount): ViewSection[] {
  const calls = account?.time?.slowest.map(
    ({ line, part, tool, input, took_ms: durationMs, waited_ms: waitedMs }) => ({
      line,
      part,
      name: `${tool}  ${firstLine(input)}`.trimEnd(),
      durationMs,
      waitedMs,
    }),
  );
  const rows = (calls ?? slowest).map(({ line, part, name, durationMs, waitedMs }) => [
    viewCell(placeInLog({ line, part }), 'muted' satisfies Tone),
    duration(durationMs),
    viewCell([name, waitedText(waitedMs)].filter((text) => text !== '').join(', ')),
  ]);
  const untimed = (account?.tools ?? []).reduce((sum, tool) => sum + (tool.untimed ?? 0), 0);
  return tableSection('Slowest', ['LINE', 'TOOK', 'EVENT'], rows).map((section) =>
    untimed === 0 ? section : { ...section, lines: [{ text: untimedText(untimed), tone: 'muted' as const }] },
  );
}

/** A run at a glance: its task, how it ended and why, its steps, what took longest. */
export function accountView(log: LogAccount, frame: AccountFrame): StateView {
  const { account, usage } = log;
  return [
    accountHead(frame, log),
    ...whyOf(log, frame.target ?? frame.name, frame.isFull ?? false),
    ...stepsOf(account ?? {}),
    ...toolsOf(account ?? {}, lostText(lostIn(log))),
    ...agentsSection(account?.agents ?? []),
    ...filesSection(account?.files ?? [], lostText(lostIn(log))),
    ...(account?.sections ?? []),
    ...(usage === undefined ? [] : [tokensSection(usage)]),
    ...slowestOf(log),
  ];
}

const count = (tokens: Tokens): string => countText(totalTokens(tokens));

/** The token count, and the sum over all records if it differs. */
function tokensSection(usage: RunUsage): ViewSection {
  const { cost, models, days, recorded_tokens, subagents, parts: further } = usage;
  const repeated =
    recorded_tokens === undefined
      ? ''
      : ` (repeated records counted once; with them ${countText(recorded_tokens)})`;
  const byModel = Object.entries(models).map(([model, { answers, tokens: used, cost: its }]) => {
    const parts = [answers === 0 ? '' : `answers ${countText(answers)}`, tokensText(used), stepCost(its)];
    return [model, parts.filter((text) => text !== '').join(', ')] as const;
  });
  const byDay = Object.entries(days).map(([day, used]) => [day, tokensText(used)] as const);
  const below = (used: RunUsage['parts']) =>
    used &&
    [`${count(used.tokens)} of the total`, `in ${plural(used.logs, 'log')}`, stepCost(used.cost)]
      .filter((part) => part !== '')
      .join(', ');
  return {
    title: 'Tokens',
    fields: viewFields([
      ['total', `${totalText(usage)}${repeated}${byTurnText(usage)}`],
      ['subagents', below(subagents)],
      ['further logs', below(further)],
      ['cost', cost && costText(cost)],
      ...byModel,
      ...(byDay.length < 2 ? [] : byDay),
    ]),
  };
}
