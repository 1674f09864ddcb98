/** A part of a text that is a secret. */
export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly rule: string;
}

/**
 * Spans in order and without overlaps. What two rules both found is covered whole: by the name of the longer one, and of
 * two that are equal by that of the one that came first.
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
