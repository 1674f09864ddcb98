import { pushAll } from '../../base/files/push-all.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { EventTypeEntry } from '../../dialects/kit/record-view.ts';
import { allDialects } from '../../dialects/registry.ts';
import type { DialectSettings } from '../../findings/options.ts';

export interface DialectEventType extends EventTypeEntry {
  readonly dialect: string;
}

/** The types of events that one dialect or all dialects define, including those from settings. */
export async function eventTypes(
  only?: Dialect['name'],
  settings: DialectSettings = {},
): Promise<DialectEventType[]> {
  const types: DialectEventType[] = [];
  for (const { name, eventTypes: own } of allDialects()) {
    if (only !== undefined && name !== only) continue;
    pushAll(
      types,
      ((await own?.(settings[name])) ?? []).map((entry) => ({ dialect: name, ...entry })),
    );
  }
  return types;
}
