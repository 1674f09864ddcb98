/** The first `most` items of a list, and how many more there are: `3, 5, 8 and 2 more`. */
export function listed(items: readonly (string | number)[], most: number): string {
  const more = items.length - most;
  return more <= 0 ? items.join(', ') : `${items.slice(0, most).join(', ')} and ${more} more`;
}
