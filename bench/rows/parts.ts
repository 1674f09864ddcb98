import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { JsonScanner } from '../../src/base/json/scanner.ts';
import { verifyNoesis } from '../../src/dialects/noesis/verify.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../src/findings/options.ts';
import type { StreamedEpisode } from '../data/streamed-episode.ts';
import { summarise } from '../measure/stats.ts';
import type { Row } from './row.ts';
import { describe } from './verify.ts';

const CHUNK = 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads a file a mebibyte at a time. The last byte of the buffer is free for a newline. */
function eachChunk(path: string, use: (buffer: Buffer, count: number) => void): void {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK + 1);
    for (let count = 1; count > 0; ) {
      count = readSync(file, buffer, 0, CHUNK, null);
      use(buffer, count);
    }
  } finally {
    closeSync(file);
  }
}

/** Passes on the whole lines of each piece. Leaves out the few lines that are cut. */
function eachLine(path: string, use: (buffer: Buffer, from: number, to: number) => void): void {
  eachChunk(path, (buffer, count) => {
    let from = 0;
    for (let to = buffer.indexOf(NEWLINE); to >= 0 && to < count; to = buffer.indexOf(NEWLINE, from)) {
      if (from > 0) use(buffer, from, to);
      from = to + 1;
    }
  });
}

const verify = ({ dir, log }: StreamedEpisode) =>
  verifyNoesis({ name: 'episode', dir, log }, DEFAULT_VERIFY_OPTIONS);

/** The parts of a verification, each alone, and alternatives that were tried. */
const parts: readonly (readonly [string, (episode: StreamedEpisode) => unknown])[] = [
  ['reading the file', ({ log }) => eachChunk(log, () => {})],
  ['… and checking UTF-8', ({ log }) => eachChunk(log, (buffer, count) => isUtf8(buffer.subarray(0, count)))],
  [
    '… and sha256',
    ({ log }) => {
      const hash = createHash('sha256');
      eachChunk(log, (buffer, count) => hash.update(buffer.subarray(0, count)));
      return hash.digest();
    },
  ],
  [
    '… and the grammar of JSON, by the scanner in TypeScript',
    ({ log }) => {
      const scanner = new JsonScanner();
      eachLine(log, (buffer, from, to) => scanner.scan(buffer, from, to));
    },
  ],
  [
    '… and JSON.parse of each line',
    ({ log }) => eachLine(log, (buffer, from, to) => JSON.parse(buffer.toString('utf8', from, to))),
  ],
  ['the whole verification', verify],
];

/** Measures the parts of the row verify within one process. */
export const partsRow: Row = {
  name: 'parts',
  title: 'where the time goes, within one process',
  async run({ options, store }) {
    const episode = store.padded();
    const times = parts.map((): number[] => []);
    for (let round = options.warmUp ? -1 : 0; round < options.repeat; round++) {
      for (const [index, [, run]] of parts.entries()) {
        const before = process.cpuUsage();
        await run(episode);
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) times[index]?.push((user + system) / 1000);
      }
    }
    const notes = parts.map(([name], index) => {
      const { median, min, max } = summarise(times[index] ?? []);
      const rate = (episode.bytes / 1e3 / median).toFixed(0);
      return `${name}: ${median.toFixed(0)} ms of CPU time (${min.toFixed(0)}–${max.toFixed(0)}), ${rate} MB/s`;
    });
    return { data: describe(episode), timings: [], goals: [], notes };
  },
};
