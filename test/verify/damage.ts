import { isUtf8 } from 'node:buffer';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { type VerifyEpisodeOptions, verifyEpisode } from '../../src/library/verify.ts';
import { sampled } from '../support/length.ts';
import { type SimulatedEpisode, writeEpisode } from '../support/simulator/episode.ts';

/** One way to damage a file at one byte. */
export interface Damage {
  readonly name: string;
  readonly at: number;
  readonly bytes: Buffer;
}

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** Masks to flip bits of a byte, in turn: the highest, the case of a letter, all. The lowest is flipped everywhere. */
const FLIPS = [0x80, 0x20, 0xff];

/** The inserted bytes, in turn: a letter, a quote, a newline, a NUL, a brace. */
const INSERTED = ['a', '"', '\n', '\0', '}'];

const inTurn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** The bytes of a file that are damaged: each, or some in the short form of the tests. */
export const damagedBytes = (bytes: Buffer): readonly number[] => sampled([...bytes.keys()], 12);

/** Five damages at every such byte, and one after the end of the file. */
export function* damagesOf(bytes: Buffer): Generator<Damage> {
  for (const at of [...damagedBytes(bytes), bytes.length]) {
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    const text = inTurn(INSERTED, at);
    yield {
      name: `insert ${JSON.stringify(text)}`,
      at,
      bytes: Buffer.concat([head, Buffer.from(text), tail]),
    };
    if (at === bytes.length) return;
    yield { name: 'truncate', at, bytes: Buffer.from(head) };
    yield { name: 'delete', at, bytes: Buffer.concat([head, tail.subarray(1)]) };
    for (const mask of [0x01, inTurn(FLIPS, at)]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ mask;
      yield { name: `flip ${mask}`, at, bytes: flipped };
    }
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** White space that the runtime strips from a line before it parses it, beyond that of JSON. */
const PYTHON_SPACE =
  '[\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
const STRIP = new RegExp(`^${PYTHON_SPACE}(.*?)${PYTHON_SPACE}$`, 's');

/**
 * The first line of a log that is no record, counted from 1, as noesis.md §3 has it; undefined when all are. Written
 * apart from the code under test: split at newlines, decode, strip, JSON.parse.
 */
export function firstBadLine(log: Buffer): number | undefined {
  let line = 0;
  for (let start = 0; start < log.length; ) {
    line += 1;
    const newline = log.indexOf(0x0a, start);
    const end = newline === -1 ? log.length : newline;
    const bytes = log.subarray(start, end);
    start = end + 1;
    if (!isUtf8(bytes)) return line;
    const text = STRIP.exec(strict.decode(bytes))?.[1] ?? '';
    if (text === '') continue;
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return line;
    } catch {
      return line;
    }
  }
  return undefined;
}

/** Copies that are damaged side by side, so that one reads while another computes. */
const COPIES = 4;

/** A directory that is kept in memory where the system has such: it is written to tens of thousands of times. */
function quickDir(): string {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'noesis-damage-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An episode on disk, in several copies, of which one file at a time is damaged. */
export class Patient {
  readonly dir: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly #dirs: readonly string[];
  readonly #options: VerifyEpisodeOptions;

  constructor(episode: SimulatedEpisode, options: VerifyEpisodeOptions = {}) {
    this.files = new Map([...episode.files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
    this.#dirs = Array.from({ length: COPIES }, () => writeEpisode(quickDir(), episode));
    this.dir = this.#dirs[0] as string;
    this.#options = options;
  }

  bytes(name: string): Buffer {
    const bytes = this.files.get(name);
    if (bytes === undefined) throw new Error(`no ${name}`);
    return bytes;
  }

  verify(): Promise<EpisodeReport> {
    return verifyEpisode(this.dir, this.#options);
  }

  /** Tries every damage of a file, and returns the wrong answers; the file is restored afterwards. */
  async endure(
    name: string,
    judge: (report: EpisodeReport, damage: Damage) => string | undefined,
  ): Promise<{ tried: number; wrong: string[] }> {
    const whole = this.bytes(name);
    const damages = damagesOf(whole);
    const wrong: string[] = [];
    let tried = 0;
    const tryAll = async (dir: string) => {
      for (const damage of damages) {
        writeFileSync(join(dir, name), damage.bytes);
        // Nobody is at work on it: files of this very moment are looked at again after a while.
        utimesSync(join(dir, name), LONG_AGO, LONG_AGO);
        const fault = judge(await verifyEpisode(dir, this.#options), damage);
        tried += 1;
        if (fault !== undefined) wrong.push(`${damage.name} at ${damage.at} of ${name}: ${fault}`);
      }
      writeFileSync(join(dir, name), whole);
    };
    await Promise.all(this.#dirs.map(tryAll));
    return { tried, wrong };
  }
}

/** The faults of the findings about a damaged log: they must name the first damaged line, and no intact one. */
export function faultOfLog({ findings }: EpisodeReport, { bytes }: Damage): string | undefined {
  const bad = firstBadLine(bytes);
  const named = findings.filter(({ code, severity }) => code.startsWith('log/') && severity === 'error');
  const [first] = named;
  if (bad === undefined) return first && `${first.code} on line ${first.line}, and every line is a record`;
  if (first === undefined) return `no log finding, and line ${bad} is no record`;
  return first.line === bad ? undefined : `${first.code} on line ${first.line}, and line ${bad} is no record`;
}
