import type { DialectName } from '../dialects/dialect.ts';
import { DIALECTS, formatReaders, GENERIC_NAME, type OwnFormats, withFormats } from '../dialects/registry.ts';
import type { DialectSettings } from '../findings/options.ts';
import { requireSettings } from '../log/schema/require.ts';

const isBuiltIn = (name: DialectName): boolean =>
  name === GENERIC_NAME || DIALECTS.some((dialect) => dialect.name === name);

/** The caller's formats: the tables whose names are not those of built-in dialects, and the steps of all. */
async function formatsIn(settings: DialectSettings): Promise<OwnFormats> {
  const { upcastsIn } = await import('../dialects/kit/upcast-schema.ts');
  const tables = Object.entries(settings);
  const upcasts = tables.flatMap(([name, table]) => (isBuiltIn(name) ? upcastsIn(name, table) : []));
  const described = Object.fromEntries(tables.filter(([name]) => !isBuiltIn(name)));
  const { formatsSchema } = await formatReaders();
  return { named: requireSettings(formatsSchema, described, { source: 'settings' }), upcasts };
}

/** Does the work of a function of the library with the formats in its settings. Throws `config-invalid`. */
export const withSettings = async <Result>(
  settings: DialectSettings | undefined,
  work: () => Promise<Result>,
): Promise<Result> => (settings === undefined ? work() : withFormats(await formatsIn(settings), work));
