import { UsageError } from '../base/errors.ts';
import { requireDialect } from '../dialects/kit/sample.ts';
import {
  dialectNamed,
  formatReaders,
  GENERIC_NAME,
  type OwnFormats,
  withFormats,
} from '../dialects/registry.ts';
import { findFormats } from '../find/configuration.ts';
import type { Io } from './io.ts';

/** The options of every command that say how logs are read. */
export interface FormatOptions {
  /** A configuration file, or `none`. */
  readonly config?: string;
  /** `auto`, or the name of a dialect. */
  readonly dialect?: string;
  /** The members of logs in unknown formats. */
  readonly map?: string;
}

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
 * The formats of the configuration and `--map`. Refuses the name of a built-in dialect.
 */
async function formatsOf({ cwd }: Io, { dialect, map, config }: FormatOptions): Promise<OwnFormats> {
  const { named, upcasts, chains } = await findFormats({ cwd, config });
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
  return { named, upcasts, chains, isAsked, ...(map !== undefined && { map: await fieldMap(map) }) };
}

/** Runs a command with the formats of the configuration and `--map`. Refuses an unknown dialect. */
export async function withFormatsOf(io: Io, options: FormatOptions, run: () => Promise<void>): Promise<void> {
  const { dialect } = options;
  await withFormats(await formatsOf(io, options), () => {
    if (dialect !== undefined && dialect !== 'auto') requireDialect(dialect);
    return run();
  });
}
