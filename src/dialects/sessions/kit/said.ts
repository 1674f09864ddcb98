import type { Said, SaidCall, SaidResult } from './format.ts';

/** Marks a record that another log of the session also has. It is shown as context, without turns and calls. */
export const asCopy = (title: string, text: string): Said => ({
  note: [title, text],
  detail: text,
  isCopy: true,
  isPart: true,
});

/** Gives results that name no call, as one text, to every call without a result. */
export function resultsOfAll(calls: readonly SaidCall[], results: readonly SaidResult[]): SaidResult[] {
  const named = results.filter(({ id }) => id !== undefined);
  const [first, ...more] = results.filter(({ id }) => id === undefined);
  if (first === undefined) return named;
  const text = [first, ...more].map((result) => result.text).join('\n');
  const others = calls.filter((call) => !named.some(({ id }) => id === call.id));
  return [...named, ...others.map(({ id }): SaidResult => ({ id, status: first.status, text }))];
}
