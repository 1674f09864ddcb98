import { parseInstant } from '../../base/time/instant.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import type { FileChange } from '../../dialects/kit/file-change.ts';
import {
  type CallItem,
  type DividerItem,
  FOLDED,
  type NoteItem,
  type PartStory,
  type SaidItem,
  type Story,
  type StoryItem,
  type StoryTurn,
} from '../../dialects/kit/story.ts';
import { OUTCOME_OF_CALL, toneOfOutcome } from '../../dialects/sessions/kit/outcome.ts';
import { isFailedCall } from '../../dialects/sessions/kit/session.ts';
import { countLines, type Draw, diffLines, rowsOf } from './diff-lines.ts';
import { escapeText } from './escape.ts';
import { markdownLines } from './markdown-lines.ts';
import { STATUS_MARKS } from './status-marks.ts';
import {
  changedPath,
  logOfTurn,
  noteText,
  partText,
  pauseBetween,
  resultOf,
  turnFoot,
  turnMark,
  turnTitle,
} from './story-words.ts';
import { type Paint, type Style, tonePaint } from './style.ts';
import { plural } from './tally.ts';
import { formatMoment, type TimeZone } from './time.ts';
import { callTook, pointsOfCall } from './waits.ts';
import { displayWidth, escapeToWidth, padToWidth, truncateToWidth } from './width.ts';
import { wrap } from './wrap.ts';

interface StoryLayout {
  /** The width at which texts are wrapped. */
  readonly width: number;
  readonly style: Style;
  readonly zone: TimeZone;
  /** Show outputs, changes and points in full, not only their first lines. */
  readonly full: boolean;
  /** Show thinking in full, not only its first line. */
  readonly thinking: boolean;
  /** The largest line number, for the width of its column. */
  readonly lastLine: number;
}

/** The marks before a subagent's title, and before what it says and does. */
const AGENT = '↳ ';
const MARGIN = '┊ ';
const depthOf = (agent: string | undefined): number => (agent === undefined ? 0 : MARGIN.length);

/** Makes the text of a story, each item with its line number in the log. */
export class StoryText {
  readonly #layout: StoryLayout;
  readonly #gutter: number;
  /** A line without a number begins with it. */
  readonly #blank: string;

  constructor(layout: StoryLayout) {
    this.#layout = layout;
    this.#gutter = Math.max(4, String(layout.lastLine).length) + 2;
    this.#blank = ' '.repeat(this.#gutter);
  }

  /** Yields whole lines, item by item, so that a long story is printed early. */
  *texts(story: Story): Generator<string> {
    for (const [index, turn] of story.turns.entries()) {
      if (index > 0) yield '\n';
      const pause = pauseBetween(story.turns[index - 1], turn);
      if (pause !== '') yield `${this.#afterGutter(this.#layout.style.dim(pause))}\n\n`;
      yield* this.#turn(turn, story.agents ?? {}, logOfTurn(story.turns[index - 1], turn));
    }
    const { subagent_runs: rest = [] } = story;
    if (rest.length > 0) yield `\n${this.#rule('Subagents', this.#layout.style.bold)}`;
    for (const part of rest) yield* this.#part(part);
  }

  /** A subagent with a separate log: a line, and what it did if it is not folded, with the line numbers of its log. */
  *#part(part: PartStory): Generator<string> {
    const { style, width } = this.#layout;
    const { turns = [], subagents = [], tone } = part;
    const [first = '', ...others] = wrap(escapeText(partText(part)), this.#room - AGENT.length);
    const paint = tone === 'bad' ? style.red : style.dim;
    yield `${this.#afterGutter(paint(AGENT + first))}\n`;
    for (const line of others) yield `${this.#afterGutter(paint(`  ${line}`))}\n`;
    const inner = new StoryText({ ...this.#layout, width: width - this.#gutter - MARGIN.length });
    const margin = this.#afterGutter(style.dim(MARGIN));
    for (const text of inner.#below(turns, subagents))
      for (const line of text.replace(/\n$/, '').split('\n')) yield `${(margin + line).trimEnd()}\n`;
  }

  /** The turns and subagents of a subagent. */
  *#below(turns: readonly StoryTurn[], subagents: readonly PartStory[]): Generator<string> {
    for (const [index, turn] of turns.entries()) {
      if (index > 0) yield '\n';
      yield* this.#turn(turn, {});
    }
    for (const part of subagents) yield* this.#part(part);
  }

  /** `log`: the further log in which the run continues with this turn. */
  *#turn(turn: StoryTurn, agents: Readonly<Record<string, string>>, log = ''): Generator<string> {
    const { style } = this.#layout;
    yield this.#rule(this.#heading(turn), style.bold);
    for (const line of log === '' ? [] : wrap(log, this.#room))
      yield `${this.#afterGutter(style.dim(line))}\n`;
    let before = 0;
    let agent: string | undefined;
    for (const item of turn.items) {
      const title = item.agent === undefined || item.agent === agent ? undefined : agents[item.agent];
      if (title !== undefined) {
        if (before > 1) yield '\n';
        const head = style.dim(`${AGENT}${escapeToWidth(firstLine(title), this.#room - 2)}`);
        yield `${this.#afterGutter(head)}\n`;
      }
      agent = item.agent;
      const lines = this.#item(item);
      // Calls and notes of the same line have no blank line between them.
      const isApart = item.kind !== 'call' && before > 0 && (before > 1 || lines.length > 1);
      before = lines.length;
      if (isApart) yield '\n';
      if (lines.length > 0) yield `${lines.join('\n')}\n`;
      for (const part of (item.kind === 'call' && item.subagents) || []) yield* this.#part(part);
    }
    const foot = turnFoot(turn);
    for (const line of foot === '' ? [] : wrap(foot, this.#room))
      yield `${this.#afterGutter(style.dim(line))}\n`;
  }

  #heading(turn: StoryTurn): string {
    const instant = parseInstant(turn.time ?? '');
    const at = instant === undefined ? '' : `  ${formatMoment(instant, this.#layout.zone)}`;
    const mark = turnMark(turn);
    return `${turnTitle(turn)}${at}${mark === '' ? '' : `  ${mark}`}`;
  }

  #item(item: StoryItem): string[] {
    switch (item.kind) {
      case 'call':
        return this.#call(item);
      case 'note':
        return this.#note(item);
      case 'divider':
        return this.#divider(item);
      default:
        return this.#said(item);
    }
  }

  #said({ kind, line, text, speaker, agent }: SaidItem): string[] {
    const { style, thinking } = this.#layout;
    const depth = depthOf(agent);
    const room = this.#room - depth;
    if (kind === 'thinking' && !thinking) {
      const [first = '', ...others] = text.trim().split('\n');
      const more = others.length;
      const rest = more > 0 ? ` (${plural(more, 'more line')})` : '';
      const said = first.trim().replace(/^\*\*([^*]+)\*\*/, '$1');
      const shown = escapeToWidth(`thinks: ${said}`, room - displayWidth(rest));
      return this.#block(line, agent, [style.dim(shown + rest)]);
    }
    const label = kind === 'thinking' ? 'thinks: ' : '';
    const lines = markdownLines(label + text.replace(/^\s*\n/, ''), room, style);
    if (kind === 'thinking') return this.#block(line, agent, lines.map(style.dim));
    const name = speaker ?? (kind === 'prompt' ? (agent === undefined ? 'You' : 'Task') : undefined);
    return this.#block(line, agent, [
      ...(name === undefined
        ? []
        : [style.bold(kind === 'prompt' ? style.magenta(escapeText(name)) : style.blue(escapeText(name)))]),
      ...lines,
    ]);
  }

  #call(call: CallItem): string[] {
    const { style } = this.#layout;
    const { line, tool, input, status, agent } = call;
    const depth = depthOf(agent);
    const isBad = isFailedCall(call);
    const changes = call.changes ?? [];
    const worked = callTook(call);
    const took = worked === '' ? '' : `${worked}  `;
    const changed = changes.map(({ added, removed }) => `+${added} -${removed}`).join(' ');
    const end = `${changed}${changed === '' ? '' : '  '}${took}${resultOf(call)}`;
    const room = Math.max(8, this.#room - depth - displayWidth(end) - 2);
    const name = truncateToWidth(escapeText(tool), 24);
    const newline = input.indexOf('\n');
    const isLong = newline !== -1;
    const inputRoom = Math.max(0, room - displayWidth(name) - 2);
    const escaped = escapeText(isLong ? input.slice(0, newline) : input);
    const shownInput = cutInput(isLong ? `${escaped} …` : escaped, inputRoom);
    const isCut = isLong || shownInput !== escaped;
    // The changes of a call already show the text of a patch.
    const isPatch = isLong && changes.length > 0;
    const inFull = this.#layout.full && isCut && !isPatch ? input.split('\n') : [];
    const rows = inFull.flatMap((text) => this.#rowsOf(text, this.#room - depth - 2, style.cyan)());
    const head = padToWidth(`${name}  ${shownInput}`, room).slice(name.length);
    const paint = tonePaint(style, toneOfOutcome(OUTCOME_OF_CALL[status]));
    return [
      ...this.#block(line, agent, [
        `${style.bold(name)}${head}  ${paint(end)}`,
        ...rows.map((row) => `  ${row}`),
      ]),
      ...this.#results(call, isBad),
    ];
  }

  /** The output and changes of a call. */
  #results(call: CallItem, isBad: boolean): string[] {
    const { style } = this.#layout;
    const { output, more_lines: more, changes = [], line, result_line: resultLine, agent } = call;
    const room = this.#room - depthOf(agent) - 4;
    const decided = pointsOfCall(call).map(({ text, tone }) =>
      this.#rowsOf(text, room, tonePaint(style, tone ?? 'muted')),
    );
    const diffs = changes.flatMap((change) => this.#change(change, room, changes.length > 1));
    const isShown = output !== undefined && (diffs.length === 0 || isBad);
    const text = isShown ? output.trimEnd() : undefined;
    const shown = this.#folded([...decided, ...diffs], resultLine ?? line, text, isShown ? more : 0, room);
    const margin = `${this.#margin(agent)}  ${style.dim('│')}`;
    return shown.map((text) => this.#afterGutter(`${margin} ${text}`.trimEnd()));
  }

  #change(change: FileChange, room: number, isNamed: boolean): Draw[] {
    const { style } = this.#layout;
    return [
      ...(isNamed ? [() => [style.bold(escapeToWidth(changedPath(change), room))]] : []),
      ...diffLines(change.diff, room, style, this.#layout.full),
    ];
  }

  /** A line of a trace: wrapped if all is shown, else cut. */
  #rowsOf(text: string, room: number, paint: Paint): Draw {
    return () => rowsOf(text.trimEnd(), room, this.#layout.full).map(paint);
  }

  /**
   * The first lines, and the number of others, which are not drawn. `line`: their line in the log. `output`: further lines,
   * of which there may be thousands; `moreLines` follow it, which a folded story does not have.
   */
  #folded(lines: readonly Draw[], line: number, output?: string, moreLines = 0, room = 0): string[] {
    const { style, full } = this.#layout;
    const rest = lines.length + (output === undefined ? 0 : countLines(output)) + moreLines - FOLDED;
    const isWhole = full || rest <= 1;
    const shown = (isWhole ? lines : lines.slice(0, FOLDED)).flatMap((draw) => draw());
    const most = isWhole ? undefined : Math.max(0, FOLDED - lines.length);
    for (const text of output?.split('\n', most) ?? [])
      for (const row of rowsOf(text.trimEnd(), room, full)) shown.push(style.dim(row));
    if (!isWhole) shown.push(style.dim(`${plural(rest, 'more line')}, on line ${line} (--full)`));
    return shown;
  }

  #note(item: NoteItem): string[] {
    const { line, title, tone, points = [], agent } = item;
    const text = noteText(item);
    const { style } = this.#layout;
    const depth = depthOf(agent);
    // Visible without colour, as in the table of events.
    const name = `${tone === 'bad' ? `${STATUS_MARKS.error} ` : ''}${escapeText(title)}`;
    const paint = tonePaint(style, tone);
    const room = this.#room - depth;
    const body = text === '' ? [] : markdownLines(text, room, style);
    const [first = ''] = body;
    const isShort = body.length === 1 && displayWidth(name) + 2 + displayWidth(escapeText(text)) <= room;
    const shown = points.flatMap((point) =>
      wrap(escapeText(point.text), room - 4).map(
        (part, index): Draw =>
          () => [`${index === 0 ? '  ' : '    '}${tonePaint(style, point.tone)(part)}`],
      ),
    );
    return this.#block(line, agent, [
      ...(isShort ? [`${style.bold(paint(name))}  ${first}`.trimEnd()] : [style.bold(paint(name)), ...body]),
      ...this.#folded(shown, line),
    ]);
  }

  #divider({ line, title, text = '', tone }: DividerItem): string[] {
    const { style } = this.#layout;
    const [first = '', ...more] = text.trimEnd().split('\n');
    const shown = escapeText(first === '' ? title : `${title}: ${first}`);
    const rows = more.map((one) => this.#rowsOf(one, this.#room - 4, style.dim));
    return [
      ...this.#block(line, undefined, wrap(`── ${shown} ──`, this.#room).map(tonePaint(style, tone))),
      ...this.#folded(rows, line).map((row) => this.#afterGutter(`  ${style.dim('│')} ${row}`.trimEnd())),
    ];
  }

  get #room(): number {
    return Math.max(20, this.#layout.width - this.#gutter);
  }

  #rule(text: string, paint: (text: string) => string): string {
    const shown = truncateToWidth(text, this.#layout.width - 6);
    const dashes = '─'.repeat(Math.max(2, this.#layout.width - displayWidth(shown) - 4));
    return `${this.#layout.style.dim('──')} ${paint(shown)} ${this.#layout.style.dim(dashes)}\n`;
  }

  /** Lines with the log's line number before the first. */
  #block(line: number, agent: string | undefined, lines: readonly string[]): string[] {
    const number = this.#layout.style.dim(`${String(line).padStart(this.#gutter - 2)}  `);
    const indent = this.#margin(agent);
    return lines.map((text, index) => ((index === 0 ? number : this.#blank) + indent + text).trimEnd());
  }

  #margin(agent: string | undefined): string {
    return agent === undefined ? '' : this.#layout.style.dim(MARGIN);
  }

  #afterGutter(text: string): string {
    return this.#blank + text;
  }
}

/** Cuts a path at its start, because the file name says more than the folder. */
function cutInput(text: string, room: number): string {
  if (displayWidth(text) <= room) return text;
  const [, before = '', path] = /^(.* {2}in )?((?!\w+:\/\/)[^ ]*\/[^ ]+)$/.exec(text) ?? [];
  if (path === undefined) return truncateToWidth(text, room);
  const parts = path.split('/');
  while (parts.length > 1 && displayWidth(before + parts.join('/')) + 2 > room) parts.shift();
  return truncateToWidth(`${before}…/${parts.join('/')}`, room);
}
