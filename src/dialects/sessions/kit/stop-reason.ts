const CUT = 'the answer was cut at the limit of tokens';
const REFUSED = 'the model refused to answer';
const FILTERED = 'a filter of contents stopped the answer';

/** The reasons of services and programs for which an answer ends before it is complete. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['length', CUT],
  ['max_tokens', CUT],
  ['model_context_window_exceeded', CUT],
  ['refusal', REFUSED],
  ['content_filter', FILTERED],
  ['content-filter', FILTERED],
]);

/** Why an answer is incomplete, by the reason for which the model stopped; undefined if it is complete. */
export const whyIncomplete = (stopReason: unknown): string | undefined => REASONS.get(stopReason);
