import { once } from '../../base/text/once.ts';
import { escapeText } from './escape.ts';

// Patterns with Unicode properties take long to compile, and most texts do not need them.
const ASCII = /^[ -~]*$/;
/** Characters of one column that are one UTF-16 unit: Latin letters, punctuation, arrows, lines, `✓` and `✗`. */
const NARROW = /^[ -~\u00a1-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u257f\u2713\u2717]*$/;

/** Whether the width of a text is its length. */
export const isNarrow = (text: string): boolean => NARROW.test(text);

/** Emoji with joiners between them, which are drawn as one. Escaped text has joiners only where they join. */
const EMOJI = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?`;
const JOINED = String.raw`${EMOJI}(?:\u200d${EMOJI})+`;
const joinedEmoji = once(() => new RegExp(`^${JOINED}`, 'u'));
/** The joiners of letters have no width. */
const MARK = String.raw`[\p{Mn}\p{Me}\u200c\u200d]`;
const cluster = once(
  () =>
    new RegExp(
      String.raw`(?:${JOINED}|\p{Regional_Indicator}{2}|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|.)${MARK}*`,
      'gsu',
    ),
);
/**
 * The clusters of a text, with ASCII characters joined into runs. A combining mark may follow the last character
 * of a run. Runs are short, so that finding the beginning of a long text does not read all of it.
 */
const runs = once(() => new RegExp(`[ -~]{1,200}(?=[ -~]|$)|${cluster().source}`, 'gsu'));
const mark = once(() => new RegExp(`^${MARK}`, 'u'));
// East Asian Wide and Fullwidth, by block. Terminals disagree about details within blocks.
const wide = once(
  () =>
    /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u,
);
const emojiStyle = once(() => /^\p{Extended_Pictographic}\ufe0f/u);

/** Splits text into characters with their combining marks. */
export function clusters(text: string): string[] {
  return text.match(cluster()) ?? [];
}

function clusterWidth(one: string): number {
  if (wide().test(one) || emojiStyle().test(one)) return 2;
  if (one.includes('\u200d') && joinedEmoji().test(one)) return 2;
  return mark().test(one) ? 0 : 1;
}

/** The width of an escaped text in terminal columns. */
export function displayWidth(text: string): number {
  if (isNarrow(text)) return text.length;
  let width = 0;
  for (const [run] of text.matchAll(runs())) width += ASCII.test(run) ? run.length : clusterWidth(run);
  return width;
}

/** The longest prefix of whole clusters that is at most `width` columns wide. Does not read the rest. */
export function headOfWidth(text: string, width: number): string {
  let left = Math.max(0, width);
  if (isNarrow(text.slice(0, left + 1))) return text.slice(0, left);
  let at = 0;
  for (const [run] of text.matchAll(runs())) {
    const isPlain = ASCII.test(run);
    const wide = isPlain ? run.length : clusterWidth(run);
    if (wide > left) return text.slice(0, isPlain ? at + left : at);
    left -= wide;
    at += run.length;
  }
  return text;
}

/** Cuts a text to `width` columns, with `…` at the end if it is longer. */
export function truncateToWidth(text: string, width: number): string {
  if (width === Infinity) return text;
  const head = headOfWidth(text, width);
  if (width >= 0 && head.length === text.length) return text;
  return width < 1 ? '' : `${headOfWidth(head, width - 1)}…`;
}

/** A text from a trace, escaped and cut to `width` columns. Reads only the beginning of a long text. */
export function escapeToWidth(text: string, width: number): string {
  const shown = text.slice(0, Math.max(0, width) + 1);
  if (ASCII.test(shown))
    return shown.length <= width ? shown : width < 1 ? '' : `${shown.slice(0, width - 1)}…`;
  const start = escapeText(text.slice(0, 4 * width + 16));
  // Combining marks have no width, so the beginning may be too narrow.
  const isEnough = text.length > 4 * width + 16 && displayWidth(start) > width + 16;
  return truncateToWidth(isEnough ? start : escapeText(text), width);
}

/** Pads a text to `width` columns; a longer one is unchanged. */
export const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
