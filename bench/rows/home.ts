import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spreadOverYear } from '../data/home-of-sessions.ts';
import { type Command, runOnce } from '../measure/process.ts';
import { interleave } from '../measure/rounds.ts';
import {
  atMostTimes,
  belowCpuMs,
  type Goal,
  megabytes,
  NOWHERE,
  nodeAlone,
  nodePeer,
  noesis,
  type Row,
  withFloor,
} from './row.ts';

/** A word that most sessions have. */
const EVERYWHERE = 'error';

/** Longer than the age from which a file is remembered. */
const YOUNG_MS = 3000;

/** The log that was active last. */
function newestLog(list: Command, output: string): string {
  runOnce({ ...list, output });
  const [newest] = JSON.parse(readFileSync(output, 'utf8')) as { readonly path: string }[];
  if (newest === undefined) throw new Error('the home has no sessions');
  return newest.path;
}

/** What a user waits for: the sessions of a home, the first time and again. */
export const homeRow: Row = {
  name: 'home',
  title: 'list, stats and search of the sessions on a machine',
  async run(bench) {
    const { folder, sessions, bytes } = bench.store.homeOfSessions();
    spreadOverYear(folder, Date.now());
    // A file that was changed just now is not remembered.
    await sleep(YOUNG_MS);
    const { repeat: rounds, warmUp } = bench.options;
    const cache = join(dirname(folder), 'home-cache');
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const env = { HOME: folder, XDG_CACHE_HOME: cache };
    const command = (name: string, args: readonly string[], more = {}): Command => ({
      ...noesis(bench, [...args, '--config', 'none'], name),
      env: { ...env, ...more },
    });
    const first = command('list, first run', ['list', '-j'], { NOESIS_KNOWN: 'never' });
    const again = command('list, again', ['list', '-j']);
    const stats = command('stats', ['stats', '-j']);
    // Exits with 1 if no session of the data has records of these days.
    const recent: Command = {
      ...command('stats --since 7d', ['stats', '--since', '7d', '-j']),
      status: [0, 1],
    };
    const latest = command('show latest', ['show', 'latest']);
    const none: Command = { ...command('search, no match', ['search', NOWHERE]), status: 1 };
    const many = command('search, frequent word', ['search', EVERYWHERE]);
    const loop = nodePeer(bench, 'bare-loop', [folder]);
    const empty = join(cache, 'empty');
    mkdirSync(empty);
    const startOf = (name: string, ...args: readonly string[]): Command => ({
      ...command(`${name}, no session`, [name, ...args]),
      env: { ...env, HOME: empty },
      status: 3 as const,
    });
    const [starts, startsStats, startsSearch] = [
      startOf('list'),
      startOf('stats'),
      startOf('search', EVERYWHERE),
    ];
    const floor = (name: string, args: readonly string[]): Command =>
      nodePeer(bench, 'floors', [...args, folder], name);
    const tokens = floor('records with tokens', ['tokens']);
    const status = floor('status of each log', ['status']);
    const word = floor('lines with the word', ['find', EVERYWHERE]);
    const { ripgrep, ccusage, simdjson } = bench.tools;
    const peers: Command[] = [
      ...(ripgrep
        ? [
            {
              name: 'ripgrep',
              file: ripgrep.file,
              args: ['--threads', '1', '--no-ignore', '--hidden', '-c', EVERYWHERE, folder],
            },
          ]
        : []),
      ...(simdjson ? [{ name: 'simdjson', file: simdjson.file, args: [folder] }] : []),
      ...(ccusage
        ? [{ name: 'ccusage', file: ccusage.file, args: ['session', '--json', '--offline'], env }]
        : []),
    ];
    const newest = newestLog(command('newest', ['list', '-j', '--limit', '1']), join(cache, 'newest.json'));
    const byPath = command('show by path', ['show', newest]);
    const subjects = [first, again, stats, recent, latest, none, many];
    const least = [starts, startsStats, startsSearch, tokens, status, word, byPath];
    const timings = interleave([...subjects, loop, nodeAlone, ...least, ...peers], { rounds, warmUp });
    const missing = Object.entries({ ripgrep, ccusage, simdjson }).flatMap(([name, tool]) =>
      tool === undefined ? [name] : [],
    );
    const goal = (subject: Command, peer: string, most: number, ...parts: readonly Command[]): Goal[] =>
      withFloor(atMostTimes(timings, subject.name, peer, most, 'cpuMs'), timings, peer, {
        parts: parts.map(({ name }) => name),
        start: nodeAlone.name,
      });
    return {
      data: `${sessions} sessions of three programs, ${megabytes(bytes)}`,
      bytes,
      timings,
      goals: [
        ...goal(first, loop.name, 0.6, starts, tokens),
        ...belowCpuMs(timings, again.name, 500, {
          parts: [starts.name, status.name],
          start: nodeAlone.name,
        }),
        ...goal(again, nodeAlone.name, 6, starts, status),
        ...goal(again, 'ccusage', 0.12, starts, status),
        ...goal(stats, loop.name, 0.7, startsStats, loop),
        ...goal(stats, 'ccusage', 1.2, startsStats, loop),
        ...goal(recent, 'ccusage', 0.2, startsStats, status),
        ...goal(latest, nodeAlone.name, 3, byPath, status),
        ...goal(none, 'ripgrep', 8, startsSearch, word),
        ...goal(many, 'ripgrep', 10, startsSearch, word),
      ],
      notes: missing.map((name) => `${name} is not on this machine`),
    };
  },
};
