import { dirname, join } from 'node:path';
import { interleave } from '../measure/rounds.ts';
import { assertAsMade, type Bench, fasterThan, megabytes, nodePeer, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

/** Data of one shape, and how fast it must be read. */
interface Shape {
  readonly name: string;
  readonly title: string;
  readonly args: readonly string[];
  readonly data: (bench: Bench) => Data;
  /** The required speed relative to the bare loop; without it there is no requirement. */
  readonly atLeast?: number;
}

interface Data {
  readonly path: string;
  readonly bytes: number;
  readonly episodes: number;
  readonly events: number;
  readonly planted?: Readonly<Record<string, number>>;
  /** The configuration that describes its format. */
  readonly config?: string;
  readonly inWords: string;
}

/** Compares a command on one thread with the bare loop over the same files. */
const rowOf = ({ name, title, args, data, atLeast }: Shape): Row => ({
  name,
  title,
  run(bench) {
    const { path, bytes, inWords, config, ...expected } = data(bench);
    assertAsMade(bench, path, expected);
    const { repeat: rounds, warmUp } = bench.options;
    const described = config === undefined ? [] : ['--config', config];
    const status = expected.planted === undefined ? 0 : 1;
    const subject = { ...noesis(bench, [...args, ...described, path]), status } as const;
    const timings = interleave([subject, nodePeer(bench, 'bare-loop', [path])], { rounds, warmUp });
    const goals = fasterThan(timings, subject.name, 'bare-loop', atLeast ?? 0);
    const asked = goals.map((goal) => (atLeast === undefined ? { ...goal, goal: 'none' } : goal));
    return { data: inWords, bytes, timings, goals: asked, notes: [] };
  },
});

const halfActs = ({ store }: Bench): Data => {
  const episode = store.halfActs();
  const { dir: path, bytes, events } = episode;
  return { path, bytes, episodes: 1, events, inWords: describe(episode) };
};

const governed = ({ store }: Bench): Data => {
  const episode = store.governed();
  const { dir: path, bytes, events } = episode;
  const inWords = `${describe(episode)}, each act with a candidate and a decision`;
  return { path, bytes, episodes: 1, events, inWords };
};

const session =
  (program: 'claude-code' | 'codex') =>
  ({ store }: Bench): Data => {
    const { path, bytes, events } = store.longSession(program);
    const inWords = `one session of ${megabytes(bytes)}, ${events} records, made from a real one`;
    return { path, bytes, episodes: 1, events, inWords };
  };

const faulty = ({ store }: Bench): Data => {
  const episode = store.faulty();
  const { dir: path, bytes, events, planted } = episode;
  const inWords = `${describe(episode)}, every tenth record with a finding`;
  return { path, bytes, episodes: 1, events, planted, inWords };
};

const vetoed = ({ store }: Bench): Data => {
  const { folder: path, bytes, count: episodes, events } = store.vetoed();
  const logs = `${episodes} sealed episodes with ${megabytes(bytes)} of logs, ${events} events`;
  return {
    path,
    bytes,
    episodes,
    events,
    inWords: `${logs}: half ended at a veto, half were resumed after one`,
  };
};

const other =
  (dialect: Parameters<Bench['store']['otherDialect']>[0]) =>
  ({ store }: Bench): Data => {
    const { path, bytes, events } = store.otherDialect(dialect);
    return { path, bytes, episodes: 1, events, inWords: `one log of ${megabytes(bytes)}, ${events} events` };
  };

const linkedLines = (bench: Bench): Data => {
  const data = other('chained-lines')(bench);
  return { ...data, config: join(dirname(data.path), 'noesis.toml') };
};

const verify = ['verify', '--jobs', '1'];

const shapes: readonly Shape[] = [
  {
    name: 'verify-acts',
    title: 'verify a log whose half are acts, mirrored in state.json',
    args: verify,
    data: halfActs,
    atLeast: 1,
  },
  {
    name: 'project-acts',
    title: 'project -j on the same',
    args: ['project', '-j'],
    data: halfActs,
    atLeast: 1,
  },
  {
    name: 'governed',
    title: 'verify a log whose acts are governed, mirrored in state.json',
    args: verify,
    data: governed,
    atLeast: 0.6,
  },
  { name: 'verify-vetoed', title: 'verify vetoed and resumed runs', args: verify, data: vetoed },
  {
    name: 'verify-faulty',
    title: 'verify a log whose every tenth record has a finding',
    args: verify,
    data: faulty,
    atLeast: 0.5,
  },
  {
    name: 'exarchos',
    title: 'verify a stream of Exarchos',
    args: verify,
    data: other('exarchos'),
    atLeast: 0.8,
  },
  {
    name: 'fishbowl',
    title: 'verify a ledger of Fishbowl',
    args: verify,
    data: other('fishbowl'),
    atLeast: 0.6,
  },
  {
    name: 'coordinator',
    title: 'verify a log of the coordinator',
    args: verify,
    data: other('coordinator'),
    atLeast: 0.6,
  },
  {
    name: 'chained',
    title: 'verify a log whose records are chained by hashes',
    args: verify,
    data: other('chained'),
    atLeast: 0.5,
  },
  {
    name: 'chained-lines',
    title: 'verify a log whose records name the hash of the line before, as a configuration declares it',
    args: verify,
    data: linkedLines,
    atLeast: 0.5,
  },
  {
    name: 'claude-code',
    title: 'verify a long session of Claude Code',
    args: verify,
    data: session('claude-code'),
    atLeast: 0.6,
  },
  {
    name: 'codex',
    title: 'verify a long session of Codex',
    args: verify,
    data: session('codex'),
    atLeast: 0.7,
  },
];

/** The same command for data of every shape, because a program may be fast for one and slow for another. */
export const shapeRows: readonly Row[] = shapes.map(rowOf);
