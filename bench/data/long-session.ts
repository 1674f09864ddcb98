import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ID, longer } from './home-of-sessions.ts';
import { LineFile } from './lines.ts';
import type { OtherLog } from './other-dialects.ts';

const samples = join(import.meta.dirname, '../../test/samples');

/** The session that each long one is made from, and the number of its first lines, which are not repeated. */
const MODELS = {
  'claude-code': { folder: 'claude-code/projects/-home-usr-git-sync', head: 3, pads: false },
  codex: { folder: 'codex/sessions/2026/11/22', head: 1, pads: true },
} as const;

/** A program with a long session. */
export type LongSession = keyof typeof MODELS;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** The tokens that a thread has used so far. Each round goes on from the round before. */
const TOTAL = /("(?:total|thread)_token_usage":)(\{[^}]*\})/g;
const ONE_HOUR = 3_600_000;

type Counts = Readonly<Record<string, number>>;

/** The tokens that a session used in all. */
function tokensIn(lines: readonly string[]): Counts {
  const [, , counts = '{}'] = [...lines.join('\n').matchAll(TOTAL)].at(-1) ?? [];
  return JSON.parse(counts);
}

/** Counts after some rounds. */
function afterRounds(counts: string, round: number, tokens: Counts): string {
  const own: Counts = JSON.parse(counts);
  const sums = Object.entries(own).map(([name, count]) => [name, count + round * (tokens[name] ?? 0)]);
  return JSON.stringify(Object.fromEntries(sums));
}

/** The longest session of a folder. */
function modelIn(folder: string): { readonly name: string; readonly lines: readonly string[] } {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const texts = logs.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const [{ name = '', text = '' } = {}] = texts.sort((a, b) => b.text.length - a.text.length);
  return { name, lines: text.split('\n').filter((line) => line !== '') };
}

/**
 * Writes a session of the requested length: the turns of a real one repeated with new ids, an hour apart. Outputs of tools
 * are as long as in real sessions: a few bytes to eight kilobytes.
 */
export function writeLongSession(program: LongSession, folder: string, bytes: number): OtherLog {
  const { folder: from, head, pads } = MODELS[program];
  const { name, lines } = modelIn(join(samples, from));
  const session = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/.exec(basename(name))?.[0] ?? '';
  const tokens = tokensIn(lines);
  const file = new LineFile(join(folder, name));
  for (const line of lines.slice(0, head)) file.add(line);
  let ordinal = head;
  for (let round = 0; file.bytes < bytes; round += 1) {
    const mark = round.toString(16).padStart(6, '0');
    for (const [index, line] of lines.slice(head).entries()) {
      const turn = (pads ? longer(line, 1 + ((round * 7 + index * 3) % 100)) : line)
        .replace(ID, (id) => (id === session ? id : `${id.slice(0, -6)}${mark}`))
        .replace(TIME, (time) => new Date(Date.parse(time) + round * ONE_HOUR).toISOString())
        .replace(/"ordinal":\d+/, `"ordinal":${ordinal}`)
        .replace(TOTAL, (_, name: string, counts: string) => `${name}${afterRounds(counts, round, tokens)}`);
      ordinal += 1;
      file.add(turn);
    }
  }
  const extent = file.close();
  return { log: join(folder, name), bytes: extent.bytes, events: extent.lines };
}
