import { parseInstant } from '../../base/time/instant.ts';
import { costText } from '../../dialects/kit/prices.ts';
import type { Story } from '../../dialects/kit/story.ts';
import { byTurnText } from '../../dialects/kit/tokens.ts';
import { belowText, lacksText, modelText, tokensToShow, totalText } from '../../dialects/kit/usage-words.ts';
import { escapeText } from './escape.ts';
import { copiedText } from './story-words.ts';
import { type Style, tonePaint } from './style.ts';
import { formatTime, type TimeZone } from './time.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { wrap } from './wrap.ts';

/** The head of a story: its topic, result and start. */
export function storyHead(
  name: string,
  dialect: string,
  story: Story,
  { width, style, zone }: { readonly width: number; readonly style: Style; readonly zone: TimeZone },
): string[] {
  const { title, status, tone, cost, turns } = story;
  const tokens = tokensToShow(story);
  const start = parseInstant(turns.find(({ time }) => time !== undefined)?.time ?? '');
  const facts = [
    title === undefined ? '' : escapeText(name),
    escapeText(dialect),
    escapeText(modelText(story.tokens_by_model)),
    start === undefined ? '' : `${formatTime(start, zone, true).slice(0, 10)}`,
    tokens === undefined
      ? ''
      : `${totalText({ ...story, tokens })} tokens${belowText(story)}${byTurnText(story)}`,
    lacksText(story.lacks),
    cost === undefined ? '' : escapeText(`cost ${costText(cost)}`),
    story.copied === undefined ? '' : escapeText(`copied ${copiedText(story.copied)}`),
  ].filter((fact) => fact !== '');
  const [first = name] = (title ?? name).trim().split('\n');
  const titleLines = wrap(truncateToWidth(escapeText(first), 2 * width - 20), width);
  return [
    ...titleLines.slice(0, 2).map(style.bold),
    ...factLines(facts, width).map(style.dim),
    `Status  ${tonePaint(style, tone)(escapeText(status))}`,
    ...(turns.length === 0 ? [] : ['']),
  ];
}

/** Facts side by side; one that does not fit is on a line below. */
function factLines(facts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const joined = lines.length === 0 ? fact : `${lines.at(-1)}  ${fact}`;
    if (lines.length > 0 && displayWidth(joined) <= width) lines.pop();
    lines.push(displayWidth(joined) <= width ? joined : fact);
  }
  return lines.flatMap((line) => wrap(line, width));
}
