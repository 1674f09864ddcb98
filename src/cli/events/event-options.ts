import { type Command, Option } from 'commander';
import { parseWhen } from '../../base/time/words.ts';
import { ROLES, type Role } from '../../dialects/kit/role.ts';
import { ownFilters } from '../../dialects/registry.ts';
import type { Query } from '../../read/select/select.ts';
import { compileSearch } from '../../read/select/text-search.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';
import { instantOfOption, listed, oneOf, whenOption } from '../option-values.ts';

/** A command's help names at most this many formats per filter. */
const MOST_NAMED = 3;

/** The options that select events. */
export interface FilterOptions {
  readonly phase?: string[];
  readonly type?: string[];
  readonly agent?: string[];
  readonly role?: Role[];
  readonly since?: string;
  readonly until?: string;
  /** Only failed or refused events. */
  readonly failed?: boolean;
  /** A text in the stored record, or `/a regex/`. */
  readonly grep?: string;
  /** A filter of some dialects; it also chooses the log in a folder with several. */
  readonly stream?: string | readonly string[];
}

/** Shows the instants of calendar words, which depend on the time zone. */
export async function sayTimes(
  context: Context,
  options: Pick<FilterOptions, 'since' | 'until'>,
): Promise<void> {
  for (const name of ['since', 'until'] as const) {
    const text = options[name];
    const when = text === undefined ? undefined : parseWhen(text, context.io.now());
    if (!when?.isLocal) continue;
    const { formatMoment } = await import('../../show/render/time.ts');
    await context.say(`--${name} ${escapeText(text ?? '')} is ${formatMoment(when.instant, 'local')}`);
  }
}

/** How a filter of some dialects is written in the help. */
export const filterFlags = (name: string): string => `--${name} <${name === 'tool' ? 'name' : 'id'}>`;

const filterOption = (name: string, help: string) => new Option(filterFlags(name), help);

/** Adds the options for a range of time. `takes`: what the command takes, such as `show only events`. */
export function withTimes(command: Command, takes: string): Command {
  return command
    .option(
      '--since <time>',
      `${takes} at or after this time: ISO 8601, 15m, 2 hours ago, 13:00, yesterday`,
      whenOption,
    )
    .option('--until <time>', `${takes} at or before this time`, whenOption);
}

/** Adds the filters of events, but those that the command has no use for. Every command that selects events uses them. */
export function withFilterOptions(command: Command, without: readonly ('phase' | 'grep')[] = []): Command {
  if (!without.includes('phase'))
    command.option(
      '-p, --phase <name>',
      'show only events of this phase or kind (repeatable, or a comma list)',
      listed,
    );
  command
    .option(
      '-t, --type <glob>',
      'show only events of this type; * matches any characters (repeatable)',
      listed,
    )
    .option('--role <role>', `show only what this role said: ${ROLES.join(', ')} (repeatable)`, oneOf(ROLES))
    .option('--failed', 'show only events that report a failure or a refusal')
    .option('--agent <glob>', 'show only events of this agent (repeatable)', listed);
  withTimes(command, 'show only events');
  if (!without.includes('grep'))
    command.option('--grep <text>', 'show only events whose stored text contains this; /…/ is a regex');
  for (const { name, help, owners } of ownFilters()) {
    const where = owners.length > MOST_NAMED ? 'not in every dialect' : owners.join(', ');
    const option = filterOption(name, `${help} (repeatable; ${where})`).argParser(listed);
    // A filter of one dialect only is in the help of that dialect.
    command.addOption(option.hideHelp(owners.length === 1));
  }
  const more = new Set(ownFilters().flatMap(({ owners }) => (owners.length === 1 ? owners : [])));
  return command.addHelpText(
    'after',
    `\nMore filters for one dialect: ${[...more].map((name) => `noesis help ${name}`).join(', ')}`,
  );
}

/** Converts the options to filters; `run` is the one in the target. */
export function filtersOf(options: FilterOptions, now: number, run?: string): Query['filters'] {
  const { phase = [], type = [], agent = [], role, failed, since, until, grep } = options;
  const from = instantOfOption(since, now);
  const to = instantOfOption(until, now);
  const given = new Map<string, unknown>(Object.entries(options));
  const own = ownFilters().flatMap(({ name }) => {
    const words = given.get(filterOption(name, '').attributeName());
    const values: string[] = Array.isArray(words) ? words.map(String) : [];
    if (name === 'run' && run !== undefined) values.push(run);
    return values.length > 0 ? [{ name, values }] : [];
  });
  return {
    own,
    phases: phase,
    types: type,
    agents: agent,
    ...(role && { roles: role }),
    ...(failed && { failed }),
    ...(grep !== undefined && { search: compileSearch(grep) }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}
