import * as z from 'zod';
import type { JsonObject } from '../../json/value.ts';
import { requireSettings } from '../../schema/require.ts';
import { upcastsIn } from '../upcast-schema.ts';
import { CustomTypes, type Registered } from './registered.ts';

const names = z
  .array(z.string('must be a name, as in ["deploy.started"]'), 'must be a list, as in ["deploy.started"]')
  .superRefine((list, context) => {
    const types = new CustomTypes();
    list.forEach((name, index) => {
      const fault = types.faultOf(name);
      if (fault === undefined) types.register(name);
      else context.addIssue({ code: 'custom', path: [index], message: `cannot be registered: ${fault}` });
    });
  });

/** The table `[exarchos]` of a configuration. `custom_types = ["deploy.started"]` registers types of a project. */
export const settingsSchema = z.strictObject({ custom_types: names.optional() }, 'must be a table');

/** The custom types in the settings. Throws `config-invalid`. */
export function registeredTypes({ upcast: _, ...settings }: JsonObject): CustomTypes {
  const place = { source: 'settings', path: ['exarchos'] };
  const { custom_types: list = [] } = requireSettings(settingsSchema, settings, place);
  const types = new CustomTypes();
  for (const name of list) types.register(name);
  return types;
}

/** The custom types and upcast steps in the settings. Throws `config-invalid`. */
export const registeredBy = (settings: JsonObject = {}): Registered => ({
  types: registeredTypes(settings),
  upcasts: upcastsIn('exarchos', settings),
});
