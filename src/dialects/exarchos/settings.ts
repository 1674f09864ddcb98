import { NoesisError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { CustomTypes } from './custom-types.ts';

/**
 * The types that the table `[exarchos]` of a configuration registers: `custom_types = ["deploy.started"]`. `source` is
 * the file it stands in. Throws `config-invalid` for another setting, and for a name that cannot be registered.
 */
export function registeredTypes(settings: JsonObject, source: string): CustomTypes {
  const invalid = (message: string, hint: string) =>
    new NoesisError('config-invalid', `${message} (${source})`, { place: { file: source }, hint });
  const { custom_types: names = [], ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(`exarchos.${unknown} is no setting`, 'there is custom_types');
  const example = 'write custom_types = ["deploy.started"]';
  if (!Array.isArray(names)) throw invalid('exarchos.custom_types must be a list', example);
  const types = new CustomTypes();
  for (const name of names) {
    if (typeof name !== 'string') throw invalid('exarchos.custom_types must be a list of names', example);
    const fault = types.faultOf(name);
    if (fault !== undefined) throw invalid(`exarchos.custom_types: ${fault}`, example);
    types.register(name);
  }
  return types;
}
