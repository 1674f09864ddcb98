import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The options of a benchmark. */
export interface Options {
  readonly json: boolean;
  readonly smoke: boolean;
  /** The names of the rows to run; empty for all. */
  readonly only: readonly string[];
  /** Sizes are multiplied by this. The goals are for 1. */
  readonly scale: number;
  readonly repeat: number;
  /** Rounds of the start-up row, which is short and whose ratios are close to their limits. */
  readonly startRounds: number;
  readonly warmUp: boolean;
  /** The folder of the data. */
  readonly data: string;
  /** The built command line that is measured. */
  readonly cli: string;
  readonly duckdb: boolean;
  readonly keep: boolean;
  readonly fresh: boolean;
}

export const usage = `node scripts/run.mjs bench/run.ts [options]

  --only NAME,…   only these rows
  --scale N       multiply the sizes of the data (default 1; the goals hold at 1)
  --repeat N      rounds, each subject and peer once per round (default 5)
  --smoke         tiny data and one round: does everything work?
  --json          everything measured as JSON
  --cli FILE      measure this build (default dist/bin/noesis.js)
  --data DIR      keep the data there (default bench/.data)
  --fresh         make the data again
  --keep          keep the 2 GB log
  --duckdb        fetch DuckDB from npm into the data folder, as one more peer
`;

const smokeScale = 0.002;

function positive(text: string | undefined, fallback: number, name: string): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`--${name} needs a number above 0`);
}

/** Parses the arguments. `bench` is the folder of the benchmark. Undefined if the user asks for help. */
export function readOptions(args: readonly string[], bench: string): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      scale: { type: 'string' },
      repeat: { type: 'string' },
      data: { type: 'string' },
      cli: { type: 'string' },
      duckdb: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const { smoke } = values;
  return {
    json: values.json,
    smoke,
    only: values.only.flatMap((list) => list.split(',')).filter((name) => name !== ''),
    scale: positive(values.scale, smoke ? smokeScale : 1, 'scale'),
    repeat: Math.ceil(positive(values.repeat, smoke ? 1 : 5, 'repeat')),
    startRounds: smoke ? 2 : 30,
    warmUp: !smoke,
    data: resolve(values.data ?? join(bench, '.data')),
    cli: resolve(values.cli ?? join(bench, '..', 'dist', 'bin', 'noesis.js')),
    duckdb: values.duckdb,
    keep: values.keep,
    fresh: values.fresh,
  };
}
