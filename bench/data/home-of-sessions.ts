import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A home folder with sessions of coding agents. */
export interface HomeOfSessions {
  readonly sessions: number;
  readonly bytes: number;
}

/** The folders of each program's sessions in the samples and in a home. */
const PROGRAMS = [
  { from: 'claude-code/projects', to: '.claude/projects', isLog: /^[0-9a-f-]{36}\.jsonl$/ },
  { from: 'codex/sessions', to: '.codex/sessions', isLog: /^rollout-.*\.jsonl$/ },
  { from: 'copilot/session-state', to: '.copilot/session-state', isLog: /^events\.jsonl$/ },
] as const;

/** The output of a tool in most real sessions: 8 kB of source text, with characters that JSON escapes. */
const OUTPUT = Array.from(
  { length: 100 },
  (_, line) => `${line}\tconst value${line} = read("names.json", { encoding: 'utf8' }); // größe ${line}`,
);

const RESULT = /"type":"(?:tool_result|function_call_output|tool\.execution_complete)"/;

/** A result whose output is replaced with one of the usual number of lines. */
export function longer(line: string, lines = OUTPUT.length): string {
  if (!RESULT.test(line)) return line;
  const text = JSON.stringify(OUTPUT.slice(0, lines).join('\n'));
  return line.replace(
    /("(?:content|output|stdout)":)"(?:[^"\\]|\\.)*"/g,
    (_, key: string) => `${key}${text}`,
  );
}

/** The ids in the logs of these programs. */
export const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:msg|toolu|call)_\w{10,}/g;

/** A session grown to the size of a real one: its turns are repeated with new ids. */
function grown(text: string, number: number, bytes: number): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const head = lines.slice(0, 2).join('\n');
  const own = (round: number, id: string) =>
    `${id.slice(0, -6)}${(number * 997 + round).toString(16).padStart(6, '0')}`;
  const session = `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const first = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/.exec(text)?.[0] ?? session;
  let whole = `${head}\n`;
  for (let round = 0; whole.length < bytes; round += 1)
    whole += `${lines
      .slice(2)
      .map((line) => longer(line).replace(ID, (id) => (id === first ? id : own(round, id))))
      .join('\n')}\n`;
  return whole;
}

const logsBelow = (folder: string, isLog: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    isLog.test(name.split('/').at(-1) ?? ''),
  );

/** The time over which the sessions of a home were written. */
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Gives the sessions of a home times of the last year, so that only some of them are recent. */
export function spreadOverYear(home: string, now: number): void {
  // A small home need not have sessions of every program.
  const logs = PROGRAMS.filter(({ to }) => existsSync(join(home, to)))
    .flatMap(({ to, isLog }) => logsBelow(join(home, to), isLog).map((name) => join(home, to, name)))
    .sort();
  for (const [number, log] of logs.entries()) {
    const seconds = (now - 60_000 - (number * YEAR_MS) / logs.length) / 1000;
    utimesSync(log, seconds, seconds);
  }
}

/** Writes a home folder with sessions of about the given size, made from real ones. */
export function writeHomeOfSessions(home: string, sessions: number, bytesEach: number): HomeOfSessions {
  const samples = join(import.meta.dirname, '../../test/samples');
  const models = PROGRAMS.flatMap(({ from, to, isLog }) =>
    logsBelow(join(samples, from), isLog).map((name) => ({
      to,
      name,
      text: readFileSync(join(samples, from, name), 'utf8'),
    })),
  );
  let bytes = 0;
  for (let number = 0; number < sessions; number += 1) {
    const model = models[number % models.length];
    if (model === undefined) throw new Error(`no samples in ${samples}`);
    const id = number.toString(16).padStart(8, '0');
    const log = join(
      home,
      model.to,
      model.name.replace(/[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/, id),
    );
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, grown(model.text, number, bytesEach));
    bytes += statSync(log).size;
  }
  return { sessions, bytes };
}
