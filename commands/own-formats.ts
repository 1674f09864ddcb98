import { UsageError } from '../src/base/errors.ts';
import type { GlobalOptions } from '../src/cli/context.ts';
import type { Io } from '../src/cli/io.ts';
import { requireDialect } from '../src/dialects/kit/sample.ts';
import { dialectNamed, formatReaders, GENERIC_NAME, useFormats } from '../src/dialects/registry.ts';
import { findFormats } from '../src/find/configuration.ts';

/** Parses `--map`. Throws `usage`. */
async function fieldMap(text: string) {
  const { parseFieldMap } = await formatReaders();
  const map = parseFieldMap(text);
  if (map !== undefined) return map;
  throw new UsageError('usage', `--map: expected FIELD=PATH; found ${JSON.stringify(text)}`, {
    hint: 'write it like id=uuid,parent=parentUuid,time=at.start; the fields are id, parent, time, type, agent, ordinal and text',
  });
}

/**
 * Registers the formats of the configuration and `--map` before a command runs. Refuses an unknown dialect.
 */
export async function useFormatsOf({ cwd }: Io, { dialect, map, config }: GlobalOptions): Promise<void> {
  const { named, upcasts, chains } = await findFormats({ cwd, config });
  useFormats();
  const taken = Object.keys(named).find((name) => dialectNamed(name) !== undefined);
  if (taken !== undefined)
    throw new UsageError('usage', `[dialects.${taken}] has the name of a built-in dialect`, {
      hint: 'give it another name',
    });
  if (map !== undefined && dialect !== undefined && dialect !== 'auto' && dialect !== GENERIC_NAME)
    throw new UsageError(
      'usage',
      `--map cannot be combined with --dialect ${dialect}, which has its own fields`,
      {
        hint: `remove one of the two options, or use --dialect ${GENERIC_NAME}`,
      },
    );
  const isAsked = dialect === GENERIC_NAME || map !== undefined;
  useFormats({ named, upcasts, chains, isAsked, ...(map !== undefined && { map: await fieldMap(map) }) });
  if (dialect !== undefined && dialect !== 'auto') requireDialect(dialect);
}
