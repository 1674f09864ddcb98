import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pi } from '../../../src/dialects/pi/index.ts';
import type { SessionDocument } from '../../../src/dialects/session.ts';
import { NO_TOKENS, type Tokens, totalTokens } from '../../../src/dialects/tokens.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';
import { toolsOf } from '../sessions.ts';

/** What a script that shares no code with the project says of a sample. */
interface Expected {
  /** Where the program stores it, from the home directory. */
  readonly storedAs: string;
  readonly sessionId: string;
  readonly title: string;
  readonly cwd: string;
  readonly version?: number | string;
  readonly first: string;
  readonly last: string;
  readonly records: number;
  readonly types: Readonly<Record<string, number>>;
  readonly turns: number;
  readonly answers: number;
  readonly tools: {
    readonly calls: number;
    readonly ok: number;
    readonly failed: number;
    readonly cancelled: number;
    readonly open: number;
    readonly byName: Readonly<Record<string, number>>;
  };
  readonly tokens: Readonly<Record<string, number>> & { readonly total: number; readonly output: number };
  readonly cost?: number;
  readonly models: Readonly<Record<string, number>>;
  /** How many records the program loads that continues the session, and of how many. */
  readonly pathLength?: number;
  readonly messagesEffective?: number;
  readonly messagesSeen?: number;
  readonly status: string;
}

const read = <T>(...path: string[]): [name: string, expected: T][] =>
  Object.entries(JSON.parse(readFileSync(join(SAMPLES, ...path, 'expected.json'), 'utf8')));

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere(args)).stdout) as T;
}

/** How a program calls the five kinds of tokens in its table. */
const TOKENS: Readonly<Record<string, (expected: Expected['tokens']) => Partial<Tokens>>> = {
  pi: ({ input = 0, output, cacheRead: cached = 0, cacheWrite: cache_write = 0 }) => ({
    input,
    cached,
    cache_write,
    output,
  }),
  // Its input includes what was cached.
  qwen: ({ input = 0, output, cached = 0, thoughts: reasoning = 0 }) => ({
    ...NO_TOKENS,
    input: input - cached,
    cached,
    output,
    reasoning,
  }),
  // Its output has no thoughts.
  gemini: ({ input = 0, output, cached = 0, thoughts = 0, tool = 0 }) => ({
    ...NO_TOKENS,
    input: input + tool - cached,
    cached,
    output: output + thoughts,
    reasoning: thoughts,
  }),
};

const FOLDERS = ['pi', 'pi/omp', 'qwen', 'gemini'];

describe.each(FOLDERS)('the samples of %s', (folder) => {
  const dialect = folder.split('/')[0] ?? '';

  test.each(read<Expected>(folder))('%s has the numbers that were counted', async (name, expected) => {
    const log = join(SAMPLES, folder, name);
    const session = await json<SessionDocument>('project', log, '-j');
    const statusesOf = (...statuses: string[]) =>
      session.calls.filter(({ status }) => statuses.includes(status)).length;
    expect({
      sessionId: session.session['id'],
      title: session.title ?? session.task,
      cwd: session.session['cwd'],
      first: session.started_at,
      last: session.ended_at,
      status: session.status,
      turns: session.turns.length,
      cost: session.session['cost_usd'],
      tools: {
        calls: session.calls.length,
        ok: statusesOf('ok'),
        failed: statusesOf('error'),
        cancelled: statusesOf('interrupted'),
        open: statusesOf('open', 'no result'),
        byName: toolsOf(session),
      },
    }).toEqual({
      sessionId: expected.sessionId,
      title: expected.title,
      cwd: expected.cwd,
      first: expected.first,
      last: expected.last,
      status: expected.status,
      turns: expected.turns,
      cost: expected.cost,
      tools: {
        calls: expected.tools.calls,
        ok: expected.tools.ok,
        failed: expected.tools.failed,
        cancelled: expected.tools.cancelled,
        open: expected.tools.open,
        byName: expected.tools.byName,
      },
    });
    const { forked_from } = session.session;
    const { parentSession = '' } = expected as { parentSession?: string };
    expect(parentSession).toContain(forked_from ?? '');
    expect(forked_from === undefined).toBe(parentSession === '');
  });

  test.each(read<Expected>(folder))(
    '%s has the same numbers in show, stats and events',
    async (name, expected) => {
      const log = join(SAMPLES, folder, name);
      const tokens = TOKENS[dialect]?.(expected.tokens);
      type Shown = {
        dialect: string;
        verdict: string;
        status: string;
        events: number;
        tokens?: Tokens;
        models?: Record<string, { answers: number }>;
        resume?: { reached: number };
      };
      const shown = await json<Shown>('show', log, '-j');
      const answers = Object.entries(shown.models ?? {}).map(([model, { answers }]) => [model, answers]);
      expect({ ...shown, answers: Object.fromEntries(answers) }).toMatchObject({
        dialect,
        verdict: 'ok',
        status: expected.status,
        events: expected.records,
        ...(expected.answers > 0 && { tokens }),
        resume: {
          reached: expected.pathLength ?? expected.messagesEffective,
          ...(expected.messagesSeen !== undefined && { records: expected.messagesSeen }),
        },
        answers: expected.models,
      });
      const stats = await json<{ tokens?: Tokens; models: Record<string, unknown> }>('stats', log, '-j');
      expect(stats.tokens ?? NO_TOKENS).toMatchObject(tokens ?? {});
      expect(totalTokens(stats.tokens ?? NO_TOKENS)).toBe(expected.tokens.total);
      for (const [type, count] of Object.entries(expected.types)) {
        const { stdout } = await runHere(['events', log, '-j', '--type', type]);
        expect([type, stdout.trimEnd().split('\n').length]).toEqual([type, count]);
      }
    },
  );

  test.each(read<Expected>(folder))(
    '%s is listed, read, searched and shown as a page',
    async (name, expected) => {
      const log = join(SAMPLES, folder, name);
      const [listed] = await json<[{ dialect: string; status: string; task: string; turns: number }]>(
        'list',
        log,
        '-j',
      );
      expect(listed).toMatchObject({
        dialect,
        status: expected.status,
        task: expected.title,
        turns: expected.turns,
      });
      const { turns } = await json<{ turns: { turn: number }[] }>('read', log, '-j');
      expect(turns.filter(({ turn }) => turn > 0)).toHaveLength(expected.turns);
      const { stdout: story } = await runHere(['read', log]);
      for (const tool of Object.keys(expected.tools.byName)) expect(story).toContain(tool);
      const { stdout: found } = await runHere(['search', 'the', log]);
      expect(found === '').toBe(!/the/.test(readFileSync(log, 'utf8')));
      expect((await runHere(['view', log, '-o', '-'])).stdout).toContain('<!doctype html>');
      expect((await runHere(['export', log, '--format', 'otlp'])).code).toBe(0);
      expect((await runHere(['diff', log, log])).stdout).toContain('same');
      expect((await runHere(['tail', log, '-n', '1'])).stdout).not.toBe('');
      const { stdout: drawn } = await runHere(['timeline', log]);
      // A record with several results is drawn as one of their calls.
      const tools = expected.tools.open > 0 ? [] : Object.keys(expected.tools.byName);
      expect(tools.length === 0 || tools.some((tool) => drawn.includes(tool.slice(0, 8)))).toBe(true);
    },
  );
});

/** The logs that were damaged, or written by two programs, with the findings that name the cause. */
type Damaged = {
  readonly findings: readonly (Pick<Finding, 'code' | 'severity' | 'line'> & { hiddenBy?: string })[];
};

describe.each(readdirSync(SAMPLES).filter((name) => TOKENS[name]))('a damaged session of %s', (dialect) => {
  test.each(read<Damaged>(dialect, 'damaged'))(
    '%s has the finding that names the cause',
    async (name, { findings }) => {
      const report = await json<{ episodes: { findings: Finding[] }[] }>(
        'verify',
        join(SAMPLES, dialect, 'damaged', name),
        '-j',
      );
      const found = report.episodes.flatMap((episode) => episode.findings);
      const brief = ({ code, severity, line }: Pick<Finding, 'code' | 'severity' | 'line'>) =>
        `${severity} ${code} ${line}`;
      expect(found.map(brief).sort()).toEqual(
        findings
          .filter(({ hiddenBy }) => hiddenBy === undefined)
          .map(brief)
          .sort(),
      );
    },
  );
});

/** The files of Gemini CLI that are no sessions. */
function writeOtherFiles(folder: string): void {
  const prompt = {
    sessionId: 's-1',
    messageId: 0,
    type: 'user',
    message: 'Look',
    timestamp: '2026-11-23T09:35:14.063Z',
  };
  writeFileSync(join(folder, 'logs.json'), JSON.stringify([prompt], null, 2));
  const history = [{ role: 'user', parts: [{ text: 'Look' }] }];
  writeFileSync(join(folder, 'checkpoint-shed.json'), JSON.stringify({ history, authType: 'none' }, null, 2));
}

test('sessions are found in the home directory, under the ids in their names', async () => {
  const home = tempDir();
  const stored = FOLDERS.flatMap((folder) =>
    read<Expected>(folder).map(([name, { storedAs, sessionId }]) => {
      const log = storedAs.replace('~', home);
      mkdirSync(dirname(log), { recursive: true });
      if (folder === 'gemini') writeOtherFiles(join(dirname(log), '..'));
      copyFileSync(join(SAMPLES, folder, name), log);
      // A document is listed under its file name. Other names may have only the beginning of the id.
      if (name.endsWith('.json')) return `${folder} ${basename(log)}`;
      return `${folder.split('/')[0]} ${folder === 'gemini' ? sessionId.slice(0, 8) : sessionId}`;
    }),
  );
  const { stdout } = await runHere(['list', '-j'], { cwd: tempDir(), home });
  const rows: { dialect: string; episode: string }[] = JSON.parse(stdout);
  expect(rows.map(({ dialect, episode }) => `${dialect} ${episode}`).sort()).toEqual(stored.sort());
  expect(
    pi.homes?.({ home, env: { PI_CODING_AGENT_SESSION_DIR: '~/here', PI_CODING_AGENT_DIR: '/there' } }),
  ).toEqual([
    join(home, 'here'),
    '/there/sessions',
    join(home, '.omp/agent/sessions'),
    join(home, '.openclaw/agents'),
  ]);
});

test('every sample is in a table', () => {
  for (const path of readdirSync(join(SAMPLES, 'pi'), { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.jsonl') && !path.startsWith('side'))
      expect(read(join('pi', dirname(path))).map(([name]) => name)).toContain(basename(path));
});

test.each(['pi', 'qwen'])('the folder of %s has 200 lines at most', (name) => {
  const folder = join('src/dialects', name);
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'),
  );
  expect(lines.length).toBeLessThanOrEqual(200);
});
