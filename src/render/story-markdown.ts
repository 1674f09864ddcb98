import type { CallItem, Story, StoryItem, StoryTurn } from '../dialects/story.ts';
import { tokensText, totalTokens } from '../dialects/tokens.ts';
import { formatDuration } from './duration.ts';
import { escapeText } from './escape.ts';

/** What of a story is printed whole. */
export interface MarkdownOptions {
  readonly full: boolean;
  readonly thinking: boolean;
}

/** Lines of an output or a diff that are printed unless all are asked for. */
const FOLDED = 12;

/** The lines of a text, escaped but for their breaks. */
const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => escapeText(line.replaceAll('\t', '    ')));

/** A block of code with a fence that its text cannot end. */
function fenced(text: string, language: string, full: boolean): string[] {
  const all = linesOf(text);
  const lines =
    full || all.length <= FOLDED + 1 ? all : [...all.slice(0, FOLDED), `… ${all.length - FOLDED} more lines`];
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

/** Code in a line: a text with backticks gets more of them around it. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const ticks = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`;
}

/** Text of a trace in a line of Markdown: it cannot begin HTML, a link or a mention. */
const inLine = (text: string): string => escapeText(text).replace(/[\\`*_<>[\]@#|]/g, '\\$&');

/** Text that the trace says is Markdown, as a quotation: it cannot end what it is quoted in, and makes no HTML. */
const quoted = (text: string): string[] =>
  linesOf(text).map((line) => `> ${line.replace(/</g, '&lt;').replace(/@/g, '@\u200b')}`.trimEnd());

function callLines(call: CallItem, { full }: MarkdownOptions): string[] {
  const {
    tool,
    input,
    status,
    exit_code: exitCode,
    duration_ms: durationMs,
    line,
    output,
    changes = [],
  } = call;
  const [first = ''] = input.split('\n');
  const facts = [
    durationMs === undefined ? '' : formatDuration(durationMs),
    status === 'ok' ? '✓' : `✗ ${status}${exitCode === undefined ? '' : `, exit ${exitCode}`}`,
    `line ${line}`,
  ].filter((fact) => fact !== '');
  const head = `**${inLine(tool)}**${first === '' ? '' : ` ${code(escapeText(first))}`} (${facts.join(', ')})`;
  const diffs = changes.flatMap(({ path, diff }) => [
    '',
    code(escapeText(path)),
    '',
    ...fenced(diff, 'diff', full),
  ]);
  const printed =
    output === undefined || (diffs.length > 0 && status === 'ok')
      ? []
      : ['', ...fenced(output, 'text', full)];
  return [head, ...diffs, ...printed];
}

/** The text of an item, on the line of its title. */
const textAfter = ({ text }: { readonly text?: string }): string =>
  text === undefined ? '' : `: ${inLine(text.replace(/\s+/g, ' '))}`;

function itemLines(item: StoryItem, options: MarkdownOptions): string[] {
  if (item.kind === 'call') return callLines(item, options);
  if (item.kind === 'thinking') return options.thinking ? ['*Thinking*', '', ...quoted(item.text)] : [];
  if (item.kind === 'divider') return [`*${inLine(item.title)}${textAfter(item)}* (line ${item.line})`];
  if (item.kind === 'note') {
    const points = (item.points ?? []).map((point) => `- ${inLine(point.text)}`);
    const head = `**${inLine(item.title)}**${textAfter(item)} (line ${item.line})`;
    return [head, ...(points.length > 0 ? ['', ...points] : [])];
  }
  const name = item.speaker ?? (item.kind === 'prompt' ? 'User' : 'Agent');
  return [`**${inLine(name)}** (line ${item.line})`, '', ...quoted(item.text)];
}

function turnLines(turn: StoryTurn, options: MarkdownOptions): string[] {
  const name = turn.title === undefined ? `Turn ${turn.turn}` : inLine(turn.title);
  const items = turn.items.map((item) => itemLines(item, options)).filter((lines) => lines.length > 0);
  const { tokens, status, duration_ms: durationMs } = turn;
  const foot = [
    status === undefined ? '' : inLine(status),
    durationMs === undefined ? '' : formatDuration(durationMs),
    tokens === undefined || totalTokens(tokens) === 0 ? '' : `tokens: ${tokensText(tokens)}`,
  ].filter((part) => part !== '');
  return [
    `## ${name}`,
    ...items.flatMap((lines) => ['', ...lines]),
    ...(foot.length > 0 ? ['', `*${foot.join('; ')}*`] : []),
    '',
  ];
}

/** A story as Markdown, for an issue or a pull request. Texts of the trace are quoted and cannot leave their quotation. */
export function storyMarkdown(name: string, story: Story, options: MarkdownOptions): string {
  const [title = name] = (story.title ?? name).trim().split('\n');
  const tokens = story.tokens === undefined ? [] : [`tokens: ${tokensText(story.tokens)}`];
  const lines = [
    `# ${inLine(title)}`,
    '',
    [`${code(escapeText(name))}`, inLine(story.status), ...tokens].join(', '),
    '',
    ...story.turns.flatMap((turn) => turnLines(turn, options)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
