import { pushAll } from '../../base/files/push-all.ts';
import { atLeast } from '../../base/text/count.ts';
import { largest } from '../../base/text/largest.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { costText, stepCost } from '../../dialects/kit/prices.ts';
import {
  type CallItem,
  FOLDED,
  type PartStory,
  type Story,
  type StoryItem,
  type StoryTurn,
  statusInWords,
} from '../../dialects/kit/story.ts';
import { byTurnText, tokensText, totalTokens } from '../../dialects/kit/tokens.ts';
import { lacksText } from '../../dialects/kit/usage-words.ts';
import { escapeText } from './escape.ts';
import { fencedLines, inertLine, linesOf, quotedText } from './markdown-text.ts';
import { changedPath, copiedText, logOfTurn, noteText, partText, resultOf, turnMark } from './story-words.ts';
import { callTook, callWaited, waitedText } from './waits.ts';

/** The parts to print in full. */
export interface MarkdownOptions {
  readonly full: boolean;
  readonly thinking: boolean;
}

/** A code block, by default with only the first lines. */
function fenced(text: string, language: string, full: boolean, moreLines = 0): string[] {
  const all = linesOf(text);
  const rest = all.length + moreLines - FOLDED;
  const isWhole = full || rest <= 1;
  return fencedLines(isWhole ? all : [...all.slice(0, FOLDED), `… ${rest} more lines`], language);
}

/** Inline code, with enough backticks around it. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const ticks = '`'.repeat(largest(runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`;
}

function callLines(call: CallItem, { full }: MarkdownOptions): string[] {
  const { tool, input, status, line, output, more_lines: more, changes = [] } = call;
  const [first = ''] = input.split('\n');
  const facts = [callTook(call), callWaited(call), resultOf(call), `line ${line}`].filter(
    (fact) => fact !== '',
  );
  const head = `**${inertLine(tool)}**${first === '' ? '' : ` ${code(escapeText(first))}`} (${facts.join(', ')})`;
  const diffs = changes.flatMap((change) => [
    '',
    code(escapeText(changedPath(change))),
    ...(change.diff === '' ? [] : ['', ...fenced(change.diff, 'diff', full)]),
  ]);
  const printed =
    output === undefined || (diffs.length > 0 && status === 'ok')
      ? []
      : ['', ...fenced(output, 'text', full, more)];
  return [head, ...diffs, ...printed];
}

/** The text of an item, on the line of its title. */
const textAfter = ({ text }: { readonly text?: string }): string =>
  text === undefined ? '' : `: ${inertLine(text.replace(/\s+/g, ' '))}`;

/** The items in order; those of a subagent are a quotation under its title. */
function itemsLines(
  items: readonly StoryItem[],
  options: MarkdownOptions,
  agents: Story['agents'] = {},
): string[] {
  const lines: string[] = [];
  let before: string | undefined;
  for (const item of items) {
    const own = linesOfItem(item, options);
    if (own.length === 0) continue;
    const { agent } = item;
    const quoted = (line: string) => (agent === undefined ? line : quotedLine(line));
    const isSame = agent === before;
    const title = agent === undefined || isSame ? undefined : agents[agent];
    const head = title === undefined ? [] : [`*${inertLine(firstLine(title))}*`, ''];
    pushAll(lines, [isSame ? quoted('') : '', ...[...head, ...own].map(quoted)]);
    for (const part of (item.kind === 'call' && item.subagents) || [])
      pushAll(lines, ['', ...partLines(part, options).map(quotedLine)]);
    before = agent;
  }
  return lines;
}

const quotedLine = (line: string): string => `> ${line}`.trimEnd();

/** A subagent, and what it did unless it is folded. */
function partLines(part: PartStory, options: MarkdownOptions): string[] {
  const { turns = [], subagents = [] } = part;
  const items = turns.flatMap((turn) => [`**${nameOfTurn(turn)}**`, ...itemsLines(turn.items, options), '']);
  const below = subagents.flatMap((one) => ['', ...partLines(one, options).map(quotedLine)]);
  return [
    `*${inertLine(partText(part))}*`,
    ...(items.length > 0 ? ['', ...items.slice(0, -1)] : []),
    ...below,
  ];
}

const nameOfTurn = ({ title, turn }: StoryTurn): string =>
  title === undefined ? `Turn ${turn}` : inertLine(title);

function linesOfItem(item: StoryItem, options: MarkdownOptions): string[] {
  if (item.kind === 'call') return callLines(item, options);
  if (item.kind === 'thinking') return options.thinking ? ['*Thinking*', '', ...quotedText(item.text)] : [];
  if (item.kind === 'divider') return [`*${inertLine(item.title)}${textAfter(item)}* (line ${item.line})`];
  if (item.kind === 'note') {
    const points = (item.points ?? []).map((point) => `- ${inertLine(point.text)}`);
    const head = `**${inertLine(item.title)}**${textAfter({ text: noteText(item) })} (line ${item.line})`;
    return [head, ...(points.length > 0 ? ['', ...points] : [])];
  }
  const name = item.speaker ?? (item.kind === 'prompt' ? 'User' : 'Agent');
  return [`**${inertLine(name)}** (line ${item.line})`, '', ...quotedText(item.text)];
}

function turnLines(
  turn: StoryTurn,
  options: MarkdownOptions,
  agents: Story['agents'],
  before: StoryTurn | undefined,
): string[] {
  const { tokens, cost, duration_ms: durationMs, waited_ms: waited, lacks } = turn;
  const status = statusInWords(turn);
  const log = logOfTurn(before, turn);
  const foot = [
    status === undefined ? '' : inertLine(status),
    durationMs === undefined ? '' : atLeast(lacks?.lines !== undefined, formatDuration(durationMs)),
    waitedText(waited),
    tokens === undefined || totalTokens(tokens) === 0
      ? ''
      : `tokens: ${atLeast(lacks !== undefined, tokensText(tokens))}`,
    inertLine(stepCost(cost)),
  ].filter((part) => part !== '');
  return [
    `## ${[nameOfTurn(turn), turnMark(turn)].join(' ').trimEnd()}`,
    ...(log === '' ? [] : ['', `*${inertLine(log)}*`]),
    ...itemsLines(turn.items, options, agents),
    ...(foot.length > 0 ? ['', `*${foot.join('; ')}*`] : []),
    '',
  ];
}

/** Says what of a story is folded, and the command that reads it, if there is one. */
export interface FoldedHint {
  readonly text: string;
  readonly command?: string;
}

/** A story as Markdown for an issue or pull request. Nothing from the trace is active in it. */
export function storyMarkdown(
  name: string,
  story: Story,
  options: MarkdownOptions,
  hint?: FoldedHint,
): string {
  const [title = name] = (story.title ?? name).trim().split('\n');
  const used = [
    ...(story.tokens === undefined
      ? []
      : [`tokens: ${atLeast(story.lacks !== undefined, tokensText(story.tokens))}${byTurnText(story)}`]),
    ...[lacksText(story.lacks)].filter((text) => text !== ''),
    ...(story.copied === undefined ? [] : [`copied: ${inertLine(copiedText(story.copied))}`]),
    ...(story.cost === undefined ? [] : [`cost ${inertLine(costText(story.cost))}`]),
  ];
  const lines = [
    `# ${inertLine(title)}`,
    '',
    [`${code(escapeText(name))}`, inertLine(story.status), ...used].join(', '),
    '',
    ...story.turns.flatMap((turn, at) => turnLines(turn, options, story.agents, story.turns[at - 1])),
    ...(story.subagent_runs ?? []).flatMap((part) => [...partLines(part, options), '']),
    ...(hint === undefined
      ? []
      : [hint.command === undefined ? hint.text : `${hint.text} ${code(escapeText(hint.command))}`]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
