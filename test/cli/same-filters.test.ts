import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { isShort, sampled } from '../support/length.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const PROJECTS = join(SAMPLES, 'claude-code/projects');
const here = { cwd: tempDir(), home: tempDir() };

/** The options of a command and their helps, without line breaks. The verb of the command is left out. */
async function optionsOf(command: string): Promise<Map<string, string>> {
  const { stdout } = await runHere(['help', command], here);
  const [, block = ''] = /^Options:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
  const entries = block
    .split(/\n(?= {2}-)/)
    .map((text) => /^ *(?:-\w, )?(--[\w-]+)(?: <[^>]+>)?\s+([\s\S]*)$/.exec(text))
    .map((found) => [found?.[1] ?? '', (found?.[2] ?? '').replace(/\s+/g, ' ')] as const);
  return new Map(entries);
}

const KINDS = 'prompt answer thinking call result turn usage hook double meta'.split(' ');
const RUNS = ['--status', '--project', '--model'];
const TIMES = ['--since', '--until'];
const EVENTS = ['--phase', '--type', '--role', '--failed', '--agent', '--tool', '--task', '--session'];

test.each([
  ['runs', ['list', 'search', 'stats', 'events'], RUNS],
  ['a time', ['list', 'search', 'stats', 'events', 'tail', 'timeline'], TIMES],
  ['events', ['events', 'search', 'tail', 'timeline'], EVENTS],
])('the options that select %s are the same in every command', async (_, commands, options) => {
  const helps = await Promise.all(commands.map(optionsOf));
  for (const option of options) {
    const texts = helps.map((help) =>
      help.get(option)?.replace(/^(?:list|search|count|read|show) only (?:runs active|events)?/, ''),
    );
    expect(texts[0], option).toBeTruthy();
    expect(new Set(texts).size, `${option}: ${texts.join(' | ')}`).toBe(1);
  }
});

interface Run {
  readonly episode: string;
  readonly project?: string;
  readonly status: string;
  readonly model?: string;
}

const runs = async (...args: string[]): Promise<Run[]> =>
  JSON.parse((await runHere(['list', PROJECTS, '-j', ...args], here)).stdout);

test('the runs of a filter are the same in list, search, stats and events', async () => {
  const all = await runs();
  const words = (of: (run: Run) => string | undefined) => [...new Set(all.flatMap((run) => of(run) ?? []))];
  const filters = [
    ...words(({ project }) => project).map((word) => ['--project', word]),
    ...words(({ status }) => status).map((word) => ['--status', word]),
    ...words(({ model }) => model).map((word) => ['--model', word]),
    ['--project', all[0]?.project ?? '', '--model', '*'],
  ];
  expect(filters.length).toBeGreaterThan(6);
  for (const filter of sampled(filters, 3)) {
    const wanted = (await runs(...filter)).map(({ episode }) => episode).sort();
    const printed = (await runHere(['list', PROJECTS, '-q', ...filter], here)).stdout.trim().split('\n');
    expect(wanted.length, filter.join(' ')).toBeGreaterThan(0);
    const stats = await runHere(['stats', PROJECTS, '-j', ...filter], here);
    expect(JSON.parse(stats.stdout).episodes, filter.join(' ')).toBe(wanted.length);
    const events = await runHere(['events', PROJECTS, '--partial', '-j', '--with-source', ...filter], here);
    const names = events.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).episode);
    const found = [...new Set(names)].filter((name) => all.some(({ episode }) => episode === name)).sort();
    expect(found, filter.join(' ')).toEqual(wanted);
    const search = await runHere(['search', '-e', '.', PROJECTS, '-q', ...filter], here);
    const searched = search.stdout.trim().split('\n');
    expect(searched.filter((name) => printed.includes(name)).sort(), filter.join(' ')).toEqual(
      printed.sort(),
    );
  }
});

test.each(['list', 'stats', 'events', 'search'])(
  '%s says why no run passes a filter, and exits with 1',
  async (command) => {
    const text = command === 'search' ? ['the'] : [];
    const { code, stderr } = await runHere([command, ...text, PROJECTS, '--model', 'opsu'], here);
    expect(code).toBe(1);
    expect(stderr).toContain('no run used the model opsu');
  },
);

test('--role selects what the user, the assistant and the tools said', async () => {
  const log = join(PROJECTS, '-home-usr-shop');
  const kinds = async (role: string) => {
    const { stdout } = await runHere(['search', '-e', '.', log, '-j', '--role', role], here);
    const lines = stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    return [...new Set(lines.map((line): string => JSON.parse(line).kind))].sort();
  };
  expect(await kinds('user')).toEqual(['prompt']);
  expect(await kinds('tool')).toEqual(['result']);
  const said = await kinds('assistant');
  expect(said).toEqual(expect.arrayContaining(['call', 'answer']));
  expect(said.filter((kind) => !['call', 'answer', 'thinking'].includes(kind))).toEqual([]);
  expect(await kinds('user,tool')).toEqual(['prompt', 'result']);
});

test.each(['claude-code', 'codex', 'copilot', 'gemini', 'pi', 'qwen', 'opencode', 'atif'])(
  '--phase selects prompts, answers, calls and results of %s',
  async (dialect) => {
    const { stdout } = await runHere(['search', '-e', '.', join(SAMPLES, dialect), '-j'], here);
    const kinds = new Set(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line): string => JSON.parse(line).kind),
    );
    expect([...kinds]).toEqual(expect.arrayContaining(['prompt', 'answer', 'call']));
    expect([...kinds].filter((kind) => !KINDS.includes(kind))).toEqual([]);
  },
);

test.each(['codex', 'copilot', 'gemini', 'pi', 'qwen', 'opencode', 'atif'])(
  '--role selects events of %s, and each event has at most one role',
  async (dialect) => {
    const folder = isShort && dialect === 'opencode' ? 'opencode/export' : dialect;
    const count = async (role?: string) => {
      const args = [
        'search',
        '-e',
        '.',
        join(SAMPLES, folder),
        '-j',
        ...(role === undefined ? [] : ['--role', role]),
      ];
      const { stdout } = await runHere(args, here);
      return stdout.split('\n').filter((line) => line !== '').length;
    };
    const [user, assistant, tool] = [await count('user'), await count('assistant'), await count('tool')];
    expect(Math.min(user, assistant)).toBeGreaterThan(0);
    expect(await count('user,assistant,tool')).toBe(user + assistant + tool);
    expect(user + assistant + tool).toBeLessThanOrEqual(await count());
  },
);

test('a role that does not exist, and a log without roles, are refused', async () => {
  const wrong = await runHere(['search', 'x', PROJECTS, '--role', 'user,robot'], here);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('user, assistant or tool')]);
  const ledger = join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl');
  const none = await runHere(['events', ledger, '--role', 'user'], here);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('--role does not apply to fishbowl logs'),
  ]);
});

const message = (content: string): string =>
  `${JSON.stringify({ role: 'user', id: '1', timestamp: '2026-01-01T00:00:00Z', content })}\n`;

test('-C shows lines of the text before and after each match, and only those of the match on its line', async () => {
  const lines = ['one', 'two', 'the word', 'four\tx', 'five', 'six'];
  const log = tempFile(message(lines.join('\n')), 'log.jsonl');
  const around = async (count: number, word: string) => {
    const { stdout } = await runHere(['search', word, log, '-j', '-C', String(count)], here);
    const { before, match, after, lines_before, lines_after } = JSON.parse(stdout);
    return { line: `${before}${match}${after}`, lines_before, lines_after };
  };
  expect(await around(2, 'word')).toEqual({
    line: 'the word',
    lines_before: ['one', 'two'],
    lines_after: ['four\tx', 'five'],
  });
  expect(await around(1, 'one')).toEqual({ line: 'one', lines_before: [], lines_after: ['two'] });
  expect(await around(9, 'six')).toEqual({ line: 'six', lines_before: lines.slice(0, -1), lines_after: [] });
  const flat = await runHere(['search', 'word', log, '-j', '-C', '0'], here);
  expect(JSON.parse(flat.stdout)).toEqual(expect.not.objectContaining({ lines_before: expect.anything() }));
  const shown = await runHere(['search', 'word', log, '-C', '1'], here);
  expect(
    shown.stdout
      .split('\n')
      .slice(1, 4)
      .map((line) => line.trim()),
  ).toEqual(['two', expect.stringMatching(/^1 +\S.* the word$/), 'four  x']);
});

test('lines of context are harmless on a terminal, and long ones are cut', async () => {
  const log = tempFile(message(`\u001b[31mred\nword\n${'x'.repeat(5000)}`), 'log.jsonl');
  const { stdout } = await runHere(['search', 'word', log, '-C', '2'], { ...here, env: { COLUMNS: '80' } });
  expect(stdout).not.toContain('\u001b');
  expect(stdout.length).toBeLessThan(2000);
});

test('--failed takes the same runs in list and stats, and with them a run whose prompt got no answer', async () => {
  const gemini = join(SAMPLES, 'gemini');
  for (const folder of [gemini, join(SAMPLES, 'pi'), join(SAMPLES, 'qwen')]) {
    const failed = JSON.parse((await runHere(['list', folder, '-j', '--failed'], here)).stdout);
    const stats = await runHere(['stats', folder, '-j', '--failed'], here);
    expect(failed.length, folder).toBeGreaterThan(0);
    expect(JSON.parse(stats.stdout).episodes, folder).toBe(failed.length);
  }
  expect((await runHere(['list', gemini, '--failed'], here)).stdout).toContain('api-error-0.61.0.jsonl');
});

test('nothing says that the user took a prompt back, because the log does not say who did', async () => {
  const log = join(SAMPLES, 'gemini/api-error-0.61.0.jsonl');
  const out = async (...args: string[]) => (await runHere(args, here)).stdout.replace(/\s+/g, ' ');
  const known = 'taken out of the conversation without an answer';
  for (const text of [await out('explain', 'withdrawn'), await out('show', log), await out('list', log)]) {
    expect(text).toContain(known);
    expect(text).not.toContain('user took');
  }
});
