import { basename } from 'node:path';
import { TargetError, UsageError } from '../../base/errors.ts';
import { grouped } from '../../base/text/grouped.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectOf } from '../../dialects/kit/sample.ts';
import type { Episode } from '../../find/episode.ts';
import { episodesAtHome } from '../../find/homes.ts';
import { newestFirst } from '../../find/last-activity.ts';
import { noEpisodeBelow } from '../../find/no-episode.ts';
import { type StoredForm, storedFormOf } from '../../find/stored-form.ts';
import { resolveTarget } from '../../find/target.ts';
import { nothingAtHome } from '../../find/without-target.ts';
import { bytesBetween } from '../../log/bytes-between.ts';
import { escapeText } from '../../show/render/escape.ts';
import { plural } from '../../show/render/tally.ts';
import type { Context } from '../context.ts';

/** In bytes: the folder of a session is in the beginning of its log. */
const HEAD = 256 * 1024;

/** Whether the beginning of a log names a folder, and not only one in it or one whose name begins like it. */
function namesFolder(log: string, folder: string): boolean {
  const name = JSON.stringify(folder).slice(1, -1);
  try {
    const head = bytesBetween(log, 0, HEAD);
    return ['"', '\\'].some((end) => head.includes(`${name}${end}`));
  } catch {
    return false;
  }
}

/** The dialect of a log, if a program continues its sessions. */
async function dialectWithRules(context: Context, { log, owner }: Pick<Episode, 'log' | 'owner'>) {
  const dialect = await dialectOf(log ?? '', basename(log ?? ''), context.dialect ?? owner);
  return dialect.loading === undefined ? undefined : dialect;
}

/** Whether a log is that of a subagent, which no program continues by itself. */
const isPart = ({ partOf }: Pick<Dialect, 'partOf'>, { log = '' }: Pick<Episode, 'log'>): boolean =>
  partOf?.(log) !== undefined;

/** The sessions of this machine. Throws `root-missing` without sessions. */
async function atHome({ search }: Context): Promise<Episode[]> {
  const found = await episodesAtHome(search);
  if (found.length === 0) throw await nothingAtHome(search);
  return found;
}

/** A repair writes, so it is not made of a session that the user did not mean. */
export const notOfThisFolder = (): UsageError =>
  new UsageError('usage', '--fix needs a target, because there is no session of this folder', {
    hint: 'run noesis doctor --all to see the sessions, and name the one to repair',
  });

/**
 * The newest session of the current folder, of each program. Without one, the newest of all is examined, but not repaired.
 */
async function newestHere(context: Context, fix: boolean): Promise<Episode[]> {
  await context.believeKnown();
  const isExamined = (one: Episode) => formOf(one) === undefined && one.log !== undefined;
  const all = (await atHome(context)).filter(isExamined);
  const found = new Map<string, Episode>();
  const here = all.filter(({ log = '' }) => namesFolder(log, context.io.cwd));
  for (const episode of await newestFirst(here, context.search)) {
    const dialect = await dialectWithRules(context, episode);
    if (dialect === undefined || isPart(dialect, episode)) continue;
    if (!found.has(dialect.name)) found.set(dialect.name, episode);
  }
  if (found.size > 0) return [...found.values()];
  if (fix) throw notOfThisFolder();
  for (const episode of await newestFirst(all, context.search)) {
    const dialect = await dialectWithRules(context, episode);
    if (dialect === undefined || isPart(dialect, episode)) continue;
    await context.say(
      `no session of this folder: ${escapeText(episode.name)}, the newest that doctor can examine`,
    );
    return [episode];
  }
  throw new TargetError('target-missing', 'there is no session that doctor can examine', {
    hint: 'run noesis list to see the runs of this machine',
  });
}

/** Sessions to examine, and what else was found, in words. */
interface Found {
  readonly sessions: readonly Episode[];
  readonly notExamined?: string;
}

const formOf = ({ log }: Episode): StoredForm | undefined =>
  log === undefined ? undefined : storedFormOf(log);

/** Sessions in forms that doctor cannot examine, in words; of one alone, what it is. */
const OTHER_FORMS: readonly {
  readonly are: string;
  readonly is: string;
  readonly form: StoredForm;
}[] = [
  { form: 'database', are: 'in a database', is: 'is in a database' },
  { form: 'files', are: 'in many files', is: 'is in many files' },
  {
    form: 'document',
    are: 'as a JSON document',
    is: 'is one JSON document, as an older version of the program wrote it',
  },
];

/**
 * The sessions of the targets that `doctor` can examine: without targets, the newest of this folder, or `all` of this
 * machine. Throws a usage error for a target that it cannot examine, and one of a target if there is no session.
 */
export async function sessionsToExamine(
  context: Context,
  targets: readonly string[],
  { all = false, fix = false }: { readonly all?: boolean; readonly fix?: boolean },
): Promise<Found> {
  if (targets.length === 0 && !all) return { sessions: await newestHere(context, fix) };
  let found: readonly Episode[] = targets.length === 0 ? await atHome(context) : [];
  for (const target of targets) {
    const resolved = await resolveTarget(target, context.search);
    if (resolved.kind === 'stdin')
      throw new UsageError('usage', 'doctor cannot read standard input', { hint: 'name a file' });
    if (resolved.kind === 'folder' && resolved.episodes.length === 0)
      throw await noEpisodeBelow(resolved.dir, resolved.passedOver.files, (path) => context.shortPath(path));
    const episodes = resolved.kind === 'folder' ? resolved.episodes : [resolved.episode];
    found = found.concat(episodes);
  }
  const byForm = grouped(found, formOf);
  const others = OTHER_FORMS.map((other) => ({ ...other, episodes: byForm.get(other.form) ?? [] }));
  const left = new Set(others.flatMap(({ episodes }) => episodes));
  for (const { is, episodes } of others) {
    const [first] = episodes;
    if (first !== undefined && left.size === found.length)
      throw new UsageError(
        'usage',
        `doctor examines sessions in JSON Lines, and ${escapeText(first.name)} ${is}`,
        { hint: `run noesis verify ${plainShellWord(targets[0] ?? first.name)} to check what is stored` },
      );
  }
  const texts = others
    .filter(({ episodes }) => episodes.length > 0)
    .map(({ are, episodes }) => `${plural(episodes.length, 'session')} ${are}`);
  const logs = found.filter((one) => one.packed === undefined && one.log !== undefined && !left.has(one));
  if (logs.length === 0)
    throw new TargetError('target-missing', 'there is no session to examine', {
      hint: 'name a log or a folder',
    });
  if (!all && logs.length === found.length && targets.length === logs.length) return { sessions: logs };
  const known: Episode[] = [];
  let parts = 0;
  for (const episode of logs) {
    const dialect = await dialectWithRules(context, episode);
    if (dialect === undefined) continue;
    if (isPart(dialect, episode)) parts += 1;
    else known.push(episode);
  }
  const noted = [
    ...texts,
    ...(parts === 0
      ? []
      : [`${plural(parts, 'log')} that ${parts === 1 ? 'is' : 'are'} part of another session`]),
  ];
  return {
    sessions: known,
    ...(noted.length > 0 && { notExamined: `not examined: ${noted.join(', ')}` }),
  };
}
