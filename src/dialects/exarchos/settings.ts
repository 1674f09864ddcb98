import * as z from 'zod';
import type { JsonObject } from '../../base/json/value.ts';
import { requireSettings } from '../../log/schema/require.ts';
import { upcastsIn } from '../kit/upcast-schema.ts';
import { customNameFault, type Registered } from './registered.ts';

const names = z
  .array(z.string('must be a name, as in ["deploy.started"]'), 'must be a list, as in ["deploy.started"]')
  .superRefine((list, context) => {
    const names = new Set<string>();
    list.forEach((name, index) => {
      const fault = customNameFault(name, names);
      if (fault === undefined) names.add(name);
      else context.addIssue({ code: 'custom', path: [index], message: `cannot be registered: ${fault}` });
    });
  });

/** The table `[exarchos]` of a configuration. `custom_types = ["deploy.started"]` registers types of a project. */
export const settingsSchema = z.strictObject({ custom_types: names.optional() }, 'must be a table');

/** The custom types in the settings. Throws `config-invalid`. */
export function registeredTypes({ upcast: _, ...settings }: JsonObject): ReadonlySet<string> {
  const place = { source: 'settings', path: ['exarchos'] };
  const { custom_types: list = [] } = requireSettings(settingsSchema, settings, place);
  return new Set(list);
}

/** The custom types and upcast steps in the settings. Throws `config-invalid`. */
export const registeredBy = (settings: JsonObject = {}): Registered => ({
  types: registeredTypes(settings),
  upcasts: upcastsIn('exarchos', settings),
});
