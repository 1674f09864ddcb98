import { NO_TOKENS } from '../../kit/tokens.ts';
import type { Said, SaidCall, SaidResult } from './format.ts';

/** Marks a record that another log of the session also has. It is shown, but its tokens do not count. */
export const asCopy = ({ usage }: Said, title: string, text: string): Said => ({
  ...(usage && { usage: { ...usage, tokens: NO_TOKENS } }),
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
