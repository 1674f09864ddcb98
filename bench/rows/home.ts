import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spreadOverYear } from '../data/home-of-sessions.ts';
import type { Command } from '../measure/process.ts';
import { interleave } from '../measure/rounds.ts';
import { atMostTimes, megabytes, nodePeer, noesis, type Row } from './row.ts';

/** A word that no session has, and one that most have. */
const NOWHERE = 'zzqqxxj';
const EVERYWHERE = 'error';

/** What a user waits for: the sessions of a home, the first time and again. */
export const homeRow: Row = {
  name: 'home',
  title: 'list, stats and search of the sessions on a machine',
  run(bench) {
    const { folder, sessions, bytes } = bench.store.homeOfSessions();
    spreadOverYear(folder, Date.now());
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
    const recent = command('stats --since 7d', ['stats', '--since', '7d', '-j']);
    const latest = command('show latest', ['show', 'latest']);
    const none: Command = { ...command('search, no match', ['search', NOWHERE]), status: 1 };
    const many = command('search, frequent word', ['search', EVERYWHERE]);
    const loop = nodePeer(bench, 'bare-loop', [folder]);
    const nothing: Command = { name: 'node -e 0', file: process.execPath, args: ['-e', '0'] };
    const { ripgrep, ccusage } = bench.tools;
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
      ...(ccusage
        ? [{ name: 'ccusage', file: ccusage.file, args: ['session', '--json', '--offline'], env }]
        : []),
    ];
    const timings = interleave([first, again, stats, recent, latest, none, many, loop, nothing, ...peers], {
      rounds,
      warmUp,
    });
    const missing = [...(ripgrep ? [] : ['ripgrep']), ...(ccusage ? [] : ['ccusage'])];
    return {
      data: `${sessions} sessions of three programs, ${megabytes(bytes)}`,
      bytes,
      timings,
      goals: [
        ...atMostTimes(timings, first.name, loop.name, 0.6, 'cpuMs'),
        ...atMostTimes(timings, again.name, nothing.name, 6, 'cpuMs'),
        ...atMostTimes(timings, again.name, 'ccusage', 0.12, 'cpuMs'),
        ...atMostTimes(timings, stats.name, loop.name, 0.7, 'cpuMs'),
        ...atMostTimes(timings, stats.name, 'ccusage', 1.2, 'cpuMs'),
        ...atMostTimes(timings, recent.name, 'ccusage', 0.2, 'cpuMs'),
        ...atMostTimes(timings, latest.name, nothing.name, 3, 'cpuMs'),
        ...atMostTimes(timings, none.name, 'ripgrep', 8, 'cpuMs'),
        ...atMostTimes(timings, many.name, 'ripgrep', 10, 'cpuMs'),
      ],
      notes: missing.map((name) => `${name} is not on this machine`),
    };
  },
};
