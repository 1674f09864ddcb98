/** What to add to a message about a line that is not in a log: the last line of an event, if it is before. */
export const beyondLast = (line: number, last = 0): string =>
  last > 0 && line > last ? `; the last one is on line ${last}` : '';
