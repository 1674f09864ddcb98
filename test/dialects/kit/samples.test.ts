import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pi } from '../../../src/dialects/sessions/pi/index.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';

/** Of what a script that shares no code with the project says of a sample; expected.test.ts compares all of it. */
interface Expected {
  /** Where the program stores it, from the home directory. */
  readonly storedAs: string;
  readonly sessionId: string;
  readonly title: string;
  readonly turns: number;
  readonly tools: { readonly open: number; readonly byName: Readonly<Record<string, number>> };
  readonly status: string;
}

const read = <T>(...path: string[]): [name: string, expected: T][] =>
  Object.entries(JSON.parse(readFileSync(join(SAMPLES, ...path, 'expected.json'), 'utf8')));

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere(args)).stdout) as T;
}

const FOLDERS = ['pi', 'pi/omp', 'qwen', 'gemini'];

describe.each(FOLDERS)('the samples of %s', (folder) => {
  const dialect = folder.split('/')[0] ?? '';

  test.each(read<Expected>(folder))(
    '%s is listed, read, searched and shown as a page',
    async (name, expected) => {
      const log = join(SAMPLES, folder, name);
      const [listed] = await json<[{ dialect: string; status: string; task: string; turns: number }]>(
        'list',
        log,
        '-j',
      );
      const { turns } = await json<{ turns: { turn: number; copied?: true }[] }>('read', log, '-j');
      const all = turns.filter(({ turn }) => turn > 0);
      expect(all).toHaveLength(expected.turns);
      // What a fork copied counts in its origin.
      const own = all.filter(({ copied }) => !copied);
      expect(listed).toMatchObject({
        dialect,
        status: expected.status,
        // A summary of the program for itself is no title for people.
        task: expected.title.startsWith('<state_snapshot>')
          ? expect.not.stringMatching(/^</)
          : expected.title,
        turns: own.length,
      });
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
      // The names of Gemini CLI have only the beginning of the id.
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
