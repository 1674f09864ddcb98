import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendEvent, openWriter } from '../../src/library/write.ts';
import { start } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';
import { Appender } from '../write/support/appender.ts';
import { EPISODE, START } from '../write/support/writers.ts';

const line = (n: number, phase = 'act') =>
  `{"id":"e${n}","phase":"${phase}","timestamp":"2026-03-02T09:00:${String(n).padStart(2, '0')}Z","payload":{}}\n`;

function episode(...lines: string[]): { dir: string; log: string } {
  const dir = join(tempDir(), 'ep_1');
  mkdirSync(dir);
  const log = join(dir, 'events.jsonl');
  writeFileSync(log, lines.join(''));
  return { dir, log };
}

/** Stops following immediately. After the last event of a run it would wait for two seconds. */
const seal = (log: string) => writeFileSync(sealOf(log), '{}');
const sealOf = (log: string) => join(dirname(log), 'final.json');

// Most of the time they wait.
describe.concurrent('tail -f', () => {
  test('prints the last events, then new ones, and ends with 0 when the episode is sealed', async () => {
    const { dir, log } = episode(line(1, 'start'), line(2), line(3));
    const running = start(['tail', dir, '-f', '-j', '-n', '2']);
    await running.sees(line(3));
    expect(running.stdout).toBe(line(2) + line(3));
    appendFileSync(log, line(4));
    await running.sees(line(4));
    appendFileSync(log, line(5, 'terminate'));
    writeFileSync(join(dir, 'final.json'), '{}');
    expect(await running.finished()).toMatchObject({
      code: 0,
      stdout: [2, 3, 4].map((n) => line(n)).join('') + line(5, 'terminate'),
      stderr: 'ended: the run is sealed\n',
    });
  });

  test('begins with the requested number of events, despite blank and unusual lines', async () => {
    const events = Array.from({ length: 40 }, (_, n) => line(n + 1, n === 0 ? 'start' : 'reason'));
    const stored = events.flatMap((text, n) => (n % 7 === 3 ? ['\n', ` ${text}`] : [text]));
    const { log } = episode(...stored);
    const shown = events.map((text, n) => (n % 7 === 3 ? ` ${text}` : text));
    for (const count of [1, 6, 41]) {
      const running = start(['tail', log, '-f', '-j', '-n', String(count)]);
      const wanted = shown.slice(-count).join('');
      await running.sees(wanted);
      appendFileSync(log, line(41, 'terminate'));
      seal(log);
      expect((await running.finished()).stdout).toBe(wanted + line(41, 'terminate'));
      rmSync(sealOf(log));
      writeFileSync(log, stored.join(''));
    }
  });

  test('numbers the rows by their lines', async () => {
    const { log } = episode(
      line(1, 'start'),
      '\n',
      line(2, 'reason'),
      line(3, 'reason'),
      line(4, 'terminate'),
    );
    seal(log);
    const { stdout } = await start(['tail', log, '-f', '-n', '3', '--utc']).finished();
    expect(stdout.split('\n').map((row) => row.trim().split(/\s+/)[0])).toEqual(['LINE', '3', '4', '5', '']);
  });

  test('holds back an incomplete line, and prints it when it is complete', async () => {
    const { log } = episode(line(1));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(line(1));
    const next = line(2);
    appendFileSync(log, next.slice(0, 20));
    appendFileSync(log, next.slice(20));
    await running.sees(next);
    appendFileSync(log, line(3).slice(0, 9));
    appendFileSync(log, `${line(3).slice(9)}${line(4, 'terminate')}`);
    seal(log);
    const { stdout } = await running.finished();
    expect(stdout).toBe(line(1) + next + line(3) + line(4, 'terminate'));
  });

  test('ends with 0 after terminate if nothing follows, and says why', async () => {
    const { log } = episode(line(1, 'start'), line(2, 'terminate'));
    expect(await start(['tail', log, '-f', '-j', '-p', 'start']).finished()).toMatchObject({
      code: 0,
      stdout: line(1, 'start'),
      stderr: 'ended: the run is over, and no event came for 2 s\n',
    });
  });

  test.each(['interrupted', 'paused'])('says once that a run is %s, until it is resumed', async (status) => {
    const runtime = (n: number, to: string) =>
      line(n, 'runtime').replace('"payload":{}', `"payload":{"status":"${to}"}`);
    const { log } = episode(line(1, 'start'), runtime(2, status));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees('the run is paused: waiting until it is resumed', 'stderr');
    appendFileSync(log, runtime(3, 'running') + line(4, 'reason'));
    await running.sees(line(4, 'reason'));
    appendFileSync(log, line(5, 'terminate'));
    seal(log);
    const { stderr } = await running.finished();
    expect(stderr.split('the run is paused').length).toBe(2);
  });

  test('does not call a run paused that works again', async () => {
    const paused = line(2, 'runtime').replace('"payload":{}', '"payload":{"status":"interrupted"}');
    const { log } = episode(line(1, 'start'), paused, line(3, 'act'), line(4, 'terminate'));
    seal(log);
    expect((await start(['tail', log, '-f', '-j']).finished()).stderr).not.toContain('paused');
  });

  test('waits for a log whose folder does not exist yet', async () => {
    const { dir } = episode(line(1));
    const log = join(dir, 'later', 'episode', 'events.jsonl');
    const running = start(['tail', log, '-f', '-j']);
    await running.sees('does not exist yet', 'stderr');
    mkdirSync(join(log, '..'), { recursive: true });
    writeFileSync(log, line(1, 'start') + line(2, 'terminate'));
    seal(log);
    expect(await running.finished()).toMatchObject({
      code: 0,
      stdout: line(1, 'start') + line(2, 'terminate'),
    });
  });

  test('follows appended events, one line each, and events that append removes after a writer died', async () => {
    const { log } = episode(line(1, 'start'));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(line(1, 'start'));
    const writer = await openWriter(log);
    const { events } = await writer.append([1, 2, 3].map(() => ({ phase: 'reason', payload: {} })));
    const stored = events.map(({ text }) => `${text}\n`);
    await running.sees(stored.at(-1) ?? '');
    const last = await writer.append({ phase: 'terminate', payload: { status: 'ok' } });
    seal(log);
    const { stdout, code } = await running.finished();
    expect(code).toBe(0);
    expect(stdout).toBe([line(1, 'start'), ...stored, `${last.events[0]?.text}\n`].join(''));
  });

  test('prints each event once, even if writers are killed while they write', async () => {
    const log = join(tempDir(), EPISODE, 'events.jsonl');
    mkdirSync(join(log, '..'));
    writeFileSync(log, START);
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(START);
    for (let round = 0; round < 4; round += 1) {
      const writer = new Appender().begins(log, `w${round}`);
      await writer.works(round * 5);
      await writer.killed();
      await appendEvent(log, { id: `after-${round}`, phase: 'reason', payload: {} });
      await running.sees(`"id":"after-${round}"`);
    }
    await appendEvent(log, { phase: 'terminate', payload: { status: 'ok' } });
    seal(log);
    const { code, stdout, stderr } = await running.finished();
    expect(code).toBe(0);
    const told = stdout.trimEnd().split('\n');
    const stored = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(new Set(told).size).toBe(told.length);
    expect(told.filter((text) => stored.includes(text))).toEqual(stored);
    // An event of a writer that died before it could acknowledge it may have been seen, and is then said to be gone.
    if (told.length > stored.length) expect(stderr).toContain('removed the last events');
  });

  test('ends as well after a runtime event that terminates', async () => {
    const end = line(2, 'runtime').replace('"payload":{}', '"payload":{"kind":"terminate"}');
    const { log } = episode(line(1, 'start'), end);
    expect(await start(['tail', log, '-f', '-j', '-p', 'start']).finished()).toMatchObject({ code: 0 });
  });

  test('continues with --forever, until Ctrl-C ends it with 130', async () => {
    const { dir, log } = episode(line(1, 'terminate'));
    writeFileSync(join(dir, 'final.json'), '{}');
    const running = start(['tail', log, '-f', '-j', '--forever']);
    await running.sees(line(1, 'terminate'));
    appendFileSync(log, line(2));
    await running.sees(line(2));
    running.child.kill('SIGINT');
    expect(await running.finished()).toMatchObject({ code: 130, stderr: '' });
  });

  test('fails at a complete but corrupt line, with its number', async () => {
    const { log } = episode(line(1));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(line(1));
    appendFileSync(log, `${line(2)}not json\n`);
    const { code, stdout, stderr } = await running.finished();
    expect([code, stdout]).toEqual([1, line(1) + line(2)]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'log-corrupt', line: 3, column: 1 } });
  });

  test('shows nothing of a log that is corrupt from the start', async () => {
    const { log } = episode(line(1), 'not json\n', line(3));
    const { code, stdout, stderr } = await start(['tail', log, '-f', '-j']).finished();
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { line: 2 } });
  });

  test('waits for a log that does not exist yet, and says so', async () => {
    const dir = tempDir();
    const running = start(['tail', dir, '-f', '-j']);
    await running.sees('does not exist yet', 'stderr');
    writeFileSync(join(dir, 'events.jsonl'), line(1) + line(2, 'terminate'));
    await running.sees(line(2, 'terminate'));
    writeFileSync(join(dir, 'final.json'), '{}');
    expect(await running.finished()).toMatchObject({ code: 0, stdout: line(1) + line(2, 'terminate') });
    expect(running.stderr).toContain('has appeared');
  });

  test('continues and says so if the log is cut or replaced', async () => {
    const { log } = episode(line(1), line(2));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(line(2));
    truncateSync(log);
    await running.sees('was truncated', 'stderr');
    appendFileSync(log, line(3));
    await running.sees(line(3));
    writeFileSync(`${log}.new`, line(4, 'terminate'));
    renameSync(`${log}.new`, log);
    await running.sees(line(4, 'terminate'));
    seal(log);
    const { code, stdout, stderr } = await running.finished();
    expect([code, stdout]).toEqual([0, line(1) + line(2) + line(3) + line(4, 'terminate')]);
    expect(stderr).toContain('was replaced');
  });

  test('does not block on a pipe that replaces the log', async () => {
    const { log } = episode(line(1));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(line(1));
    execFileSync('mkfifo', [`${log}.pipe`]);
    renameSync(`${log}.pipe`, log);
    const { code, stderr } = await running.finished();
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreadable', file: log } });
  });

  test('says so if the episode is sealed after an incomplete line', async () => {
    const { dir, log } = episode(line(1));
    const running = start(['tail', log, '-f', '-j']);
    await running.sees(line(1));
    appendFileSync(log, '{"id":"e2"');
    writeFileSync(join(dir, 'final.json'), '{}');
    const { code, stdout, stderr } = await running.finished();
    expect([code, stdout]).toEqual([1, line(1)]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'log-corrupt', line: 2 } });
  });

  test('does not say so with -q', async () => {
    const dir = tempDir();
    const running = start(['tail', join(dir, 'events.jsonl'), '-f', '-jq']);
    setTimeout(() => writeFileSync(join(dir, 'events.jsonl'), line(1, 'terminate')), 400);
    expect(await running.finished()).toMatchObject({ code: 0, stdout: line(1, 'terminate'), stderr: '' });
  });

  test('shows a table whose offsets count from the first event, filtered or not', async () => {
    const { log } = episode(line(1, 'start'), line(3, 'plan'), line(9, 'terminate'));
    seal(log);
    // In 80 columns the offsets give way to the details.
    const wide = { env: { COLUMNS: '120' } };
    const all = await start(['tail', log, '-f', '--utc'], wide).finished();
    const some = await start(['tail', log, '-f', '--utc', '-p', 'terminate'], wide).finished();
    const last = all.stdout.split('\n').at(-2);
    expect(last).toContain('+8.000s');
    expect(some.stdout.split('\n').slice(1)).toEqual([last, '']);
  });

  test('chooses fields', async () => {
    const { log } = episode(line(1), line(2, 'terminate'));
    seal(log);
    const { stdout } = await start(['tail', log, '-f', '-j', '--fields', 'id']).finished();
    expect(stdout).toBe('{"id":"e1"}\n{"id":"e2"}\n');
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s removes the copy of standard input', async (signal, code) => {
  for (const args of [
    ['events', '-'],
    ['verify', '-'],
  ]) {
    const TMPDIR = tempDir();
    const running = start(args, { keepInput: true, env: { TMPDIR } });
    running.child.stdin?.write(line(1));
    while (readdirSync(TMPDIR).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    running.child.kill(signal);
    expect((await running.finished()).code).toBe(code);
    expect(readdirSync(TMPDIR)).toEqual([]);
  }
});

test('Ctrl-C ends a command that waits for standard input, with exit code 130', async () => {
  const running = start(['events', '-', '-j', '--partial'], { keepInput: true });
  running.child.stdin?.write(line(1));
  await running.sees(line(1));
  running.child.kill('SIGINT');
  expect((await running.finished()).code).toBe(130);
});
