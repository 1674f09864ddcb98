import { countText } from '../../../base/text/count.ts';
import { largest } from '../../../base/text/largest.ts';
import { plural } from '../../render/tally.ts';
import type { Go } from './address.ts';
import type { Episode } from './episode.ts';
import { LongText } from './text.tsx';

const [WIDTH, HEIGHT] = [600, 48];

/** The place of a line among the requests: how many of them are before it. */
const placeOfLine = (lines: readonly number[], line: number): number =>
  lines.filter((one) => one < line).length;

/** How much the model was given at each request, with compactions and turns. */
export function ContextCurve({ episode, go }: { episode: Episode; go: Go }) {
  const { context, story } = episode.document;
  if (context === undefined) return null;
  const lines = context.map(({ line }) => line);
  const most = largest(context.map(({ tokens }) => tokens));
  const compactions = story.turns.flatMap(({ items }) =>
    items.filter((item) => item.kind === 'divider' && item.title === 'compaction'),
  );
  // A step from each request to the next, because nothing is known between them.
  const x = (place: number) => (place / context.length) * WIDTH;
  const y = (tokens: number) => HEIGHT - (tokens / most) * (HEIGHT - 4);
  const steps = context
    .map(({ tokens }, at) => `L${x(at).toFixed(1)} ${y(tokens).toFixed(1)}H${x(at + 1).toFixed(1)}`)
    .join('');
  const curve = `M0 ${HEIGHT}${steps}V${HEIGHT}Z`;
  const lineOfMost = context.find(({ tokens }) => tokens === most)?.line ?? 0;
  const last = context.at(-1)?.tokens ?? 0;
  const text = [
    `${countText(most)} tokens at its largest (line ${lineOfMost})`,
    ...(last === most ? [] : [`${countText(last)} at the end`]),
    ...(compactions.length > 0 ? [plural(compactions.length, 'compaction')] : []),
  ].join(', ');
  const lineAt = (event: MouseEvent & { readonly currentTarget: Element }): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / Math.max(1, width)) * context.length);
    return lines[Math.min(context.length - 1, Math.max(0, place))] ?? 0;
  };
  return (
    <figure class="context">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of turns and the line numbers lead to the same places */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Size of the context: ${text}`}
        onClick={(event) => go({ line: lineAt(event) })}
      >
        {story.turns.slice(1).map(({ turn, line }) => (
          <path
            key={turn}
            class="context-turn"
            d={`M${x(placeOfLine(lines, line)).toFixed(1)} 0V${HEIGHT}`}
          />
        ))}
        <path class="context-size" d={curve} />
        {compactions.map(({ line }) => (
          <path
            key={line}
            class="context-compaction"
            d={`M${x(placeOfLine(lines, line)).toFixed(1)} 0V${HEIGHT}`}
          />
        ))}
      </svg>
      <figcaption>
        Size of the context: <LongText text={text} hrefOf={(line) => `#story/${line}`} />
      </figcaption>
    </figure>
  );
}
