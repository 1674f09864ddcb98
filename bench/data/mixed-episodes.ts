import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EpisodeShape, simulateEpisode, writeEpisode } from '../../test/support/simulator/episode.ts';

/** Each episode is made once and written this often, because making takes five times as long as verifying. */
const COPIES = 50;
/** One in this many episodes is damaged. */
const DAMAGED_EVERY = 97;
/** The same for a run on tiny data: so few episodes still have all sizes, shapes and kinds of damage. */
const LEAST = { distinct: 30, copies: 20, damagedEvery: 17 } as const;

/** The sizes, and how many of a hundred episodes have each. */
const SIZES = [
  { name: 'small', share: 60, extraEvents: 0 },
  { name: 'medium', share: 25, extraEvents: 150 },
  { name: 'large', share: 10, extraEvents: 500 },
  { name: 'huge', share: 5, extraEvents: 1100 },
] as const;

const SHAPES: readonly EpisodeShape[] = [
  { acts: 2 },
  { acts: 5, governed: 'allow', governedEach: true },
  { ending: 'vetoed', governed: 'veto-enforced' },
  { acts: 3, failures: true, ending: 'error' },
  { adapter: 'tool' },
  { ending: 'running', acts: 5 },
  { acts: 4, prompts: true, learnProposals: 1 },
  { ending: 'paused' },
  { acts: 4, resumed: 'in-process' },
];

/** The expected finding; no other of its severity or above may occur. */
export interface Planted {
  /** The folder of the episode, below that of all. */
  readonly path: string;
  readonly code: string;
  readonly severity: 'error' | 'warn';
}

/** The written episodes. */
export interface MixedEpisodes {
  readonly count: number;
  readonly distinct: number;
  /** How often each of them was written. */
  readonly copies: number;
  readonly bytes: number;
  readonly planted: readonly Planted[];
  /** By size: the number of episodes, and the bytes of all their files. */
  readonly sizes: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
}

function changeLine(log: string, change: (line: string) => string): void {
  const lines = readFileSync(log, 'utf8').split('\n');
  lines[4] = change(lines[4] ?? '');
  writeFileSync(log, lines.join('\n'));
}

/** The ways to damage an episode, each with its single finding. */
const OF_RUNNING: readonly (Omit<Planted, 'path'> & { readonly damage: (dir: string) => void })[] = [
  {
    code: 'log/invalid-json',
    severity: 'error',
    damage: (dir) => changeLine(join(dir, 'events.jsonl'), (line) => `not json\n${line}`),
  },
  {
    code: 'log/duplicate-key',
    severity: 'warn',
    damage: (dir) => changeLine(join(dir, 'events.jsonl'), (line) => line.replace('{', '{"id":"twice",')),
  },
  {
    code: 'log/truncated',
    severity: 'error',
    damage: (dir) => appendFileSync(join(dir, 'events.jsonl'), '{"torn'),
  },
];
const OF_SEALED = {
  code: 'manifest/hash-mismatch',
  severity: 'error',
  damage: (dir: string) => appendFileSync(join(dir, 'summary.json'), ' '),
} as const;

/** Writes about this many episodes of all shapes and sizes to `<copy>/<size>/<episode>`. Some are damaged in known ways. */
export function writeMixedEpisodes(folder: string, wanted: number): MixedEpisodes {
  const distinct = Math.max(LEAST.distinct, Math.round(wanted / COPIES));
  const copies = Math.min(COPIES, Math.max(LEAST.copies, Math.ceil(wanted / distinct)));
  const damagedEvery = copies < COPIES ? LEAST.damagedEvery : DAMAGED_EVERY;
  const planted: Planted[] = [];
  const sizes: Record<string, { count: number; bytes: number }> = {};
  let count = 0;
  let running = 0;
  for (let seed = 1; seed <= distinct; seed += 1) {
    let rank = (seed * 37) % 100;
    const size = SIZES.find(({ share }) => {
      rank -= share;
      return rank < 0;
    });
    if (size === undefined) continue;
    const { name, extraEvents } = size;
    const shape = SHAPES[seed % SHAPES.length] ?? {};
    const episode = simulateEpisode({ ...shape, seed, extraEvents, unicode: seed % 4 === 0 });
    const bytes = [...episode.files.values()].reduce((total, file) => total + file.length, 0);
    const isSealed = episode.files.has('manifest.json');
    for (let copy = 1; copy <= copies; copy += 1) {
      const into = join(String(copy).padStart(2, '0'), name);
      mkdirSync(join(folder, into), { recursive: true });
      const dir = writeEpisode(join(folder, into), episode);
      count += 1;
      const before = sizes[name] ?? { count: 0, bytes: 0 };
      sizes[name] = { count: before.count + 1, bytes: before.bytes + bytes };
      // The costs are measured on the first copy, which is not damaged.
      if (copy === 1 || count % damagedEvery !== 0 || shape.ending === 'paused') continue;
      const { code, severity, damage } = isSealed
        ? OF_SEALED
        : (OF_RUNNING[running++ % OF_RUNNING.length] ?? OF_SEALED);
      damage(dir);
      planted.push({ path: join(into, episode.id), code, severity });
    }
  }
  const bytes = Object.values(sizes).reduce((total, of) => total + of.bytes, 0);
  return { count, distinct, copies, bytes, planted, sizes };
}
