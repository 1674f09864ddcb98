import type { Dialect, EventTypeEntry } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { DialectSettings } from '../findings/options.ts';

/** A type of event, and the dialect that defines it. */
export interface DialectEventType extends EventTypeEntry {
  readonly dialect: string;
}

/** The types of events that dialects define: those of one, or of each; with those that settings add. */
export async function eventTypes(
  only?: Dialect['name'],
  settings: DialectSettings = {},
): Promise<DialectEventType[]> {
  const types: DialectEventType[] = [];
  for (const { name, eventTypes: own } of DIALECTS) {
    if (only !== undefined && name !== only) continue;
    types.push(...((await own?.(settings[name])) ?? []).map((entry) => ({ dialect: name, ...entry })));
  }
  return types;
}
