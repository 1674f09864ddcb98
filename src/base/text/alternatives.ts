/** Words as a choice, such as `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  const [last = '', ...rest] = words.toReversed();
  return rest.length === 0 ? last : `${rest.toReversed().join(', ')} or ${last}`;
}
