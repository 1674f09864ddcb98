import type { Paint, Style } from './style.ts';

/** Paints a text, with another colour for matches. */
export function paintPlaces(
  text: string,
  places: readonly (readonly [from: number, to: number])[],
  paint: Paint,
  style: Style,
): string {
  let painted = '';
  let at = 0;
  for (const [from, to] of places) {
    painted += (from > at ? paint(text.slice(at, from)) : '') + style.bold(style.red(text.slice(from, to)));
    at = to;
  }
  return at === 0 ? paint(text) : painted + (at < text.length ? paint(text.slice(at)) : '');
}
