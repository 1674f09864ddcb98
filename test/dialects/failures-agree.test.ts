import { basename, join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Story } from '../../src/dialects/kit/story.ts';
import { isFailedCall, type SessionDocument } from '../../src/dialects/sessions/kit/session.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { SESSION_DIALECTS, sampleLogs } from './sessions.ts';

const json = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await runHere([...args, '-j'])).stdout) as T;
const GEMINI = join(SAMPLES, 'gemini', 'cancel-compress-rewind-0.61.0.jsonl');
const QWEN = join(SAMPLES, 'qwen', 'interrupts-compress-0.24.4.jsonl');
/** `project` prints nothing of a damaged log. */
const wholeLogs = (dialect: string): string[] =>
  sampleLogs(dialect).filter((log) => !log.split(sep).includes('damaged'));

describe.each(SESSION_DIALECTS)('failed calls of %s', (dialect) => {
  test.each(wholeLogs(dialect).map((log) => [basename(log), log] as const))(
    'of %s are the same in project, read and show',
    async (_, log) => {
      const session = await json<SessionDocument>('project', log);
      const story = await json<Story>('read', log);
      const show = await json<{ tools?: { failed: number }[] }>('show', log);
      const inTurns = story.turns.flatMap(({ turn, items }) => {
        const failed = items.filter((item) => item.kind === 'call' && isFailedCall(item)).length;
        return turn === 0 ? [] : [failed];
      });
      expect(inTurns).toEqual(session.turns.map(({ failed }) => failed));
      const failed = session.calls.filter(isFailedCall).length;
      expect((show.tools ?? []).reduce((sum, tool) => sum + tool.failed, 0)).toBe(failed);
    },
  );
});

test('a call whose command failed has failed, also if the program stores that its tool succeeded', async () => {
  const { stdout } = await runHere(['read', GEMINI]);
  expect(stdout).toMatch(/ls \/nowhere\/shed +88 ms {2}✗ exit 2$/m);
  const session = await json<SessionDocument>('project', GEMINI);
  expect(session.calls.find(({ line }) => line === 42)).toMatchObject({ status: 'error', exit_code: 2 });
});

test('a cancelled call whose start is not in the log has no duration, and its turn lasts until the cancellation', async () => {
  const session = await json<SessionDocument>('project', GEMINI);
  const call = session.calls.find(({ line }) => line === 18);
  expect(call).toMatchObject({ status: 'interrupted' });
  expect(call).not.toHaveProperty('duration_ms');
  expect(session.turns[1]).toMatchObject({ status: 'interrupted', duration_ms: 3145 });
});

test('prompts that were sent while the program worked are answered together', async () => {
  const { turns } = await json<SessionDocument>('project', QWEN);
  expect(turns.map(({ status }) => status)).toEqual([
    'done',
    'interrupted',
    'interrupted',
    'done',
    'done',
    'done',
    'interrupted',
  ]);
  expect(turns[4]).not.toHaveProperty('duration_ms');
  const { stdout } = await runHere(['read', QWEN]);
  expect(stdout).toMatch(/26 {2}── answered with the next prompt ──\n +done$/m);
});

test('an answer that was cut off is why the session ended', async () => {
  const { stdout } = await runHere(['show', QWEN]);
  expect(stdout).toContain(
    'Why it ended\ninterrupted the answer was cut off; the log does not say by what, line 49\n',
  );
  expect((await runHere(['list', QWEN, '--wide'])).stdout).toContain('the answer was cut off');
  expect((await runHere(['read', QWEN])).stdout).toMatch(
    /stop it\n\n +49 {2}── interrupted: the answer was cut off; the log does not say by what ──\n +interrupted; 11\.8 s/,
  );
});

test('an edit that failed is not counted as an edit of its file', async () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
  );
  const { files, calls } = await json<SessionDocument>('project', log);
  const written = calls.filter(
    ({ tool, status }) => /^(?:Edit|MultiEdit|Write)$/.test(tool) && status === 'ok',
  );
  expect(files.reduce((sum, { edits }) => sum + edits, 0)).toBe(written.length);
  expect(files.find(({ path }) => path.endsWith('tokenizer.js'))).toMatchObject({ edits: 1 });
});
