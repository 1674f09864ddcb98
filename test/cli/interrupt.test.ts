import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { run } from '../../commands/program.ts';
import { noesis, type Run, type Running, start } from '../support/cli.ts';
import { commandNames } from '../support/command-names.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { within } from '../support/in-process.ts';
import { sampled, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

/** No command has come to the end of so much when it is interrupted, and of no more a page is made. */
const LONG = times(250, 100) * 1024 * 1024;
/** The line of an event near the end. */
const LATE = times(300_000, 100_000);

/** The path of an open file; nothing if it was closed meanwhile. */
function fileAt(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** Waits until the command has a log open, such as its copy of standard input: it listens to signals by then. */
async function untilReading({ child }: Running): Promise<void> {
  const files = `/proc/${child.pid}/fd`;
  // Systems without this folder do not say which files are open.
  if (!existsSync('/proc/self/fd')) return void (await setTimeout(3000));
  while (existsSync(files) && child.exitCode === null) {
    for (const fd of readdirSync(files)) if (/noesis-.*(?:jsonl|log)/.test(fileAt(join(files, fd)))) return;
    await setTimeout(20);
  }
}

/** Starts a command and interrupts it while it reads. Starts it again if it ended before, as on a busy machine. */
async function interrupted(args: readonly string[], head: string): Promise<Run & { readonly cpu: number }> {
  for (;;) {
    // Standard input never ends.
    const running = start(args, { keepInput: true });
    if (args.includes('-')) running.child.stdin?.write(head);
    // A stream is not copied: its events are printed as they come.
    if (args.includes('--partial')) await running.sees('\n');
    else await untilReading(running);
    await setTimeout(20);
    const pid = running.child.pid ?? 0;
    const before = cpuOf(pid) ?? 0;
    let after = before;
    const looking = setInterval(() => {
      after = cpuOf(pid) ?? after;
    }, 20);
    const isRunning = running.child.kill('SIGINT');
    const run = await running.finished();
    clearInterval(looking);
    if (isRunning) return { ...run, cpu: after - before };
  }
}

/** The processor time of a process so far in seconds, of all its threads; nothing where the system does not tell. */
function cpuOf(pid: number): number | undefined {
  try {
    const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / 100;
  } catch {
    return undefined;
  }
}

/** The program should end within a second; a busy machine may take longer. */
const MOST_CPU = 4;

/** An unfinished run with a long log: acts with unique ids, each caused by the one before. */
function longEpisode(): { readonly dir: string; readonly log: string; readonly head: string } {
  const { dir, log, lines } = episodeIn(tempDir(), GOOD);
  for (const name of ['final.json', 'manifest.json']) rmSync(join(dir, name), { force: true });
  const head = `${lines.slice(0, 6).join('\n')}\n`;
  const { id, ...common } = JSON.parse(lines[5] ?? '') as { id: string };
  // The effect of an act is in the state: a projection does not skip it.
  const payload = { action_id: 'act', kind: 'tool', outcome: 'ok', result_artifacts: ['x'.repeat(200)] };
  const event = { ...common, phase: 'act', payload };
  const tail = JSON.stringify(event).slice(1);
  const pieces = [head];
  for (let bytes = 0, index = 0; bytes < LONG; index += 1) {
    const cause = index === 0 ? id : `event-${index - 1}`;
    const line = `{"id":"event-${index}","caused_by":"${cause}",${tail.replace(/"caused_by":"[^"]*",/, '')}\n`;
    pieces.push(line);
    bytes += line.length;
  }
  writeFileSync(log, pieces.join(''));
  return { dir, log, head };
}

/** Commands that need no long log, and those that read like a command of the list above. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  list: 'reads the beginning of each log and its end',
  state: 'reads no log',
  doctor: 'reads sessions, not a long log of events',
  sign: 'verifies as seal does',
  merge: 'reads reports',
  explain: 'reads nothing',
  schema: 'reads nothing',
  keygen: 'reads nothing',
  completion: 'reads nothing',
  help: 'reads nothing',
};

test('Ctrl-C just before append writes ends it as at any other time', async () => {
  const { dir, log } = episodeIn(tempDir(), { ...GOOD });
  for (const name of ['final.json', 'manifest.json']) rmSync(join(dir, name), { force: true });
  const before = readFileSync(log);
  const event = '{"phase":"reason","payload":{}}';
  const interrupted = AbortSignal.abort('SIGINT');
  const outcome = await within({}, (io) => run(['append', dir, '--event', event], { ...io, interrupted }));
  expect(outcome).toMatchObject({ code: 130, stdout: '', stderr: '' });
  expect(readFileSync(log).equals(before)).toBe(true);
});

describe('Ctrl-C', async () => {
  const { dir, log, head } = longEpisode();
  const made = tempDir();
  const key = join(made, 'key');
  await noesis(['keygen', key]);
  const commands: readonly (readonly string[])[] = [
    ['events', dir],
    ['events', dir, '-j'],
    ['events', dir, '--tree'],
    ['events', dir, '--chain', String(LATE)],
    ['events', '-', '-j', '--partial'],
    ['events', '-'],
    ['insight', dir],
    ['tail', dir, '-n', '300000', '--agent', 'nobody'],
    ['show', dir],
    ['show', dir, String(LATE)],
    ['read', dir],
    ['timeline', dir],
    ['timeline', dir, '-j'],
    ['search', 'e', dir],
    ['stats', dir],
    ['diff', dir, log],
    ['project', dir],
    ['project', dir, '--diff'],
    ['view', dir, '-o', join(made, 'page.html')],
    ['export', dir, '--format', 'csv', '-o', join(made, 'tables')],
    ['export', dir, '--format', 'otlp', '-o', join(made, 'trace')],
    ['sql', 'select 1', dir],
    ['salvage', dir, '--dry-run'],
    ['salvage', dir, '-o', join(made, 'salvaged')],
    ['redact', dir, '-o', join(made, 'copy')],
    ['append', dir, '--event', '{"phase":"reason","payload":{}}'],
    ['seal', dir, '--force'],
    ['checkpoint', dir, '--key', `${key}.key`, '-o', join(made, 'checkpoint')],
    ['verify', dir],
    ['verify', log, '--jobs', '1', '-f', 'ndjson'],
  ];

  test.each(sampled(commands, 3))(
    'ends noesis %s %s %s soon, with 130 and a whole last line',
    async (...args) => {
      const { code, stdout, stderr, cpu } = await interrupted(args, head);
      expect(cpu).toBeLessThan(MOST_CPU);
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
      expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
    },
  );

  // On a busy machine this reader is slower than the program waits.
  test('does not cut off a line that is read slowly', { retry: 5 }, async () => {
    const running = start(['events', dir, '-j']);
    await running.sees('\n');
    const { child } = running;
    child.stdout?.pause();
    // The pipe fills up, in the middle of a line.
    await setTimeout(200);
    child.kill('SIGINT');
    // Longer than what does not listen to a signal has.
    await setTimeout(350);
    child.stdout?.resume();
    const { code, stdout } = await running.finished();
    expect([code, stdout.endsWith('\n')]).toEqual([130, true]);
  });

  test('leaves no incomplete salvaged episode', async () => {
    const to = join(made, 'half');
    const running = start(['salvage', dir, '-o', to]);
    while (!existsSync(to)) await setTimeout(5);
    running.child.kill('SIGINT');
    expect((await running.finished()).code).toBe(130);
    expect(existsSync(to)).toBe(false);
  });

  test('is tested with every command', async () => {
    const asked = new Set([...commands.map(([name]) => name), ...Object.keys(NOT_ASKED)]);
    expect((await commandNames()).filter((name) => !asked.has(name))).toEqual([]);
  });
});
