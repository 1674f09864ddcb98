// Finds a text in the elements of the story, marks it, and opens what is folded.

import { wordPattern } from './word-pattern.ts';

const NAME = 'found';
/** More places are not marked. */
const MOST_MARKED = 1000;

/** The places of a text in an element, ignoring case. */
function placesIn(element: Element, sought: string): Range[] {
  const found: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pattern = wordPattern(sought, 'gi');
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      found.push(range);
    }
  }
  return found;
}

const isFolded = (range: Range): Element | null | undefined =>
  range.startContainer.parentElement?.closest('[hidden], details:not([open])');

/**
 * Opens the folded text of an element that has a text, unless another place of it is visible. Returns whether the element
 * has the text.
 */
export function unfold(element: Element, sought: string): boolean {
  const [first, ...more] = placesIn(element, sought);
  if (first === undefined) return false;
  if (![first, ...more].every(isFolded)) return true;
  const folded = isFolded(first);
  if (folded instanceof HTMLDetailsElement) folded.open = true;
  else folded?.dispatchEvent(new Event('beforematch'));
  return true;
}

/** Marks a text in elements, and returns its first visible place in the first element. */
export function mark(elements: Iterable<Element>, sought: string): Range | undefined {
  // Older browsers find texts, and do not mark them.
  const marks = typeof Highlight === 'undefined' ? undefined : new Highlight();
  let first: Range | undefined;
  for (const element of elements) {
    const places = sought === '' ? [] : placesIn(element, sought).filter((range) => !isFolded(range));
    first ??= places[0];
    for (const place of places) if ((marks?.size ?? 0) < MOST_MARKED) marks?.add(place);
  }
  if (marks !== undefined) CSS.highlights.set(NAME, marks);
  return first;
}
