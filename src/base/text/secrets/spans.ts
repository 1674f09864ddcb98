/** A part of a text that is a secret. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly rule: string;
}

/**
 * Sorts spans and merges overlaps. The merged span has the name of the longer one; of equal ones, of the
 * first.
 */
export function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
