import { float, stringify } from './canonical.ts';
import { digestsOf } from './disk.ts';
import type { SimulatedEpisode } from './episode.ts';
import { uuid } from './ids.ts';
import { manifestBytes } from './manifest.ts';
import { createRandom } from './random.ts';

type Bytes = Buffer<ArrayBufferLike>;

const fileOf = (episode: SimulatedEpisode, name: string): Bytes =>
  Buffer.from(episode.files.get(name) ?? new Uint8Array());

const withFile = ({ id, files }: SimulatedEpisode, name: string, bytes: Uint8Array): SimulatedEpisode => ({
  id,
  files: new Map([...files, [name, bytes]]),
});

/** The log's lines, each with its newline. */
function linesOf(episode: SimulatedEpisode): Bytes[] {
  const log = fileOf(episode, 'events.jsonl');
  const lines: Bytes[] = [];
  for (let start = 0; start < log.length; ) {
    const newline = log.indexOf(0x0a, start);
    const end = newline === -1 ? log.length : newline + 1;
    lines.push(log.subarray(start, end));
    start = end;
  }
  return lines;
}

function lineAt(lines: readonly Bytes[], number: number): Bytes {
  const line = lines.at(number < 0 ? number : number - 1);
  if (line === undefined) throw new RangeError(`the log has no line ${number}`);
  return line;
}

/** Replaces one line. Negative numbers count from the end. */
function withLine(
  episode: SimulatedEpisode,
  number: number,
  change: (line: Bytes) => Bytes,
): SimulatedEpisode {
  const lines = linesOf(episode);
  const changed = change(lineAt(lines, number));
  lines[number < 0 ? lines.length + number : number - 1] = changed;
  return withFile(episode, 'events.jsonl', Buffer.concat(lines));
}

/** Replaces the first match. Throws if there is none, so that no damage is missing. */
function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  const changed = text.replace(pattern, replacement);
  if (changed === text) throw new RangeError(`nothing to damage: ${pattern}`);
  return changed;
}

const edited = (line: Bytes, pattern: RegExp, replacement: string): Bytes =>
  Buffer.from(replaceOnce(line.toString(), pattern, replacement));

const half = (line: Bytes): Bytes => line.subarray(0, Math.floor(line.length / 2));

/** Marks a step as not done although the log says that it is done, and seals that state. */
function tamperState(episode: SimulatedEpisode): SimulatedEpisode {
  const state = replaceOnce(
    fileOf(episode, 'state.json').toString(),
    /"status":"(done|failed)"/,
    '"status":"pending"',
  );
  const tampered = withFile(episode, 'state.json', Buffer.from(state));
  const { created_at } = JSON.parse(fileOf(episode, 'manifest.json').toString()) as { created_at: string };
  const manifest = manifestBytes(digestsOf(tampered.files), { episodeId: episode.id, createdAt: created_at });
  return withFile(tampered, 'manifest.json', manifest);
}

/** Changes a word of the roll-up act, which no projection reads. Only the hash reveals it. */
function editLog(episode: SimulatedEpisode): SimulatedEpisode {
  const number = linesOf(episode).findIndex((line) => line.includes('"synthetic":true')) + 1;
  return withLine(episode, number, (line) => edited(line, /("input_excerpt":"[^"a-z]*)[a-z]/, '$1X'));
}

function appendAfterSeal(episode: SimulatedEpisode): SimulatedEpisode {
  const last = JSON.parse(lineAt(linesOf(episode), -1).toString()) as { id: string; timestamp: string };
  const line = stringify({
    id: uuid(createRandom(0)),
    timestamp: last.timestamp,
    episode_id: episode.id,
    agent_id: 'system',
    phase: 'runtime',
    event_type: 'tool.execution.completed',
    payload: { kind: 'tool.execution.completed', status: 'ok', score: float(1) },
    evidence_ids: [],
    caused_by: last.id,
  });
  const log = Buffer.concat([fileOf(episode, 'events.jsonl'), Buffer.from(`${line}\n`)]);
  return withFile(episode, 'events.jsonl', log);
}

/** Tears line 9 in the middle, without its newline, so that line 10 continues on it. */
function glueRecords(episode: SimulatedEpisode): SimulatedEpisode {
  return withLine(episode, 9, half);
}

/** A byte that no UTF-8 text has, at the start of what the interpret event on line 4 says. */
function breakUtf8(episode: SimulatedEpisode): SimulatedEpisode {
  return withLine(episode, 4, (line) => {
    const at = line.indexOf('"signals":["') + '"signals":["'.length;
    return Buffer.concat([line.subarray(0, at), Buffer.of(0xff), line.subarray(at + 1)]);
  });
}

/** Ways to damage a sealed episode with a synthetic act. Each returns a new episode and does not change the given one. */
export const damages: Readonly<Record<string, (episode: SimulatedEpisode) => SimulatedEpisode>> = {
  'torn-tail': (episode) => withLine(episode, -1, half),
  'tampered-state': tamperState,
  'edited-log': editLog,
  'bad-json': (episode) => withLine(episode, 7, (line) => edited(line, /:(true|false)/, ':True')),
  'appended-after-seal': appendAfterSeal,
  'invalid-utf8': breakUtf8,
  'nul-bytes': (episode) => withLine(episode, -1, (line) => Buffer.alloc(line.length)),
  'glued-records': glueRecords,
};
