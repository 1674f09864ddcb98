const ASCII = /^[ -~]*$/;
const CLUSTER = /(?:\p{Regional_Indicator}{2}|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|.)[\p{Mn}\p{Me}]*/gsu;
const MARK = /^[\p{Mn}\p{Me}]/u;
// East Asian Wide and Fullwidth, in blocks: finer than a block no terminal agrees with another.
const WIDE =
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI_STYLE = /^\p{Extended_Pictographic}\ufe0f/u;

/** What stands in one cell or two: a character and the marks that go with it, in order. */
export function clusters(text: string): string[] {
  return text.match(CLUSTER) ?? [];
}

function clusterWidth(cluster: string): number {
  if (WIDE.test(cluster) || EMOJI_STYLE.test(cluster)) return 2;
  return MARK.test(cluster) ? 0 : 1;
}

/** How many columns of a terminal a text takes; the text must be escaped. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const cluster of clusters(text)) width += clusterWidth(cluster);
  return width;
}

/** The longest head of `text` that takes at most `width` columns, by whole clusters. */
export function headOfWidth(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, width));
  let head = '';
  let left = width;
  for (const cluster of clusters(text)) {
    left -= clusterWidth(cluster);
    if (left < 0) break;
    head += cluster;
  }
  return head;
}

/** The text, cut to `width` columns with `…` as its end where it is longer. */
export function truncateToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return width < 1 ? '' : `${headOfWidth(text, width - 1)}…`;
}

/** The text, filled up to `width` columns; one that is longer stays as it is. */
export const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
