import type { NotCompared } from './projector.ts';

const MAX_LISTED = 20;

function listed(paths: readonly string[]): string {
  const more = paths.length - MAX_LISTED;
  return more <= 0 ? paths.join(', ') : `${paths.slice(0, MAX_LISTED).join(', ')} and ${more} more`;
}

/** Says in one sentence what was not compared. Each reason comes once, after its parts. */
export function reasonsFor(parts: readonly NotCompared[]): string {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of parts) byReason.set(reason, [...(byReason.get(reason) ?? []), path]);
  return [...byReason].map(([reason, paths]) => `${listed(paths)} (${reason})`).join('; ');
}
