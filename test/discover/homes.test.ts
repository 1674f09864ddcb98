import { cpSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { episodeIn } from '../support/episodes.ts';
import { runHere, type World } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const home = tempDir();
const codex = join(home, '.codex/sessions/2026/11/22');
const claude = join(home, '.claude/projects/p');
cpSync(join(SAMPLES, 'codex/sessions/2026/11/22'), codex, { recursive: true });
cpSync(join(SAMPLES, 'claude-code/projects/-home-usr-demo-site'), claude, { recursive: true });
const THREAD = '01a20265-94b7-76a3-be39-f4c28319c6fc';
const NEWEST_THREAD = '01a20275-8cd5-7053-99f2-f4e1fdeec074';
const OLDER_THREAD = 'fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1';
const TRANSCRIPT = 'b25638d7-b104-4f06-a797-70ac33d069ed';
const touch = (path: string, year: number) => utimesSync(path, new Date(year, 1, 1), new Date(year, 1, 1));
touch(join(claude, `${TRANSCRIPT}.jsonl`), 2024);
touch(join(codex, `rollout-2026-11-22T08-35-43-${OLDER_THREAD}.jsonl`), 2100);
// These are not sessions: a state without a log, and a link to a folder of sessions.
writeTree({ 'state.json': '{"episode":{"id":"ep_without_log"}}' }, join(claude, 'a'));
mkdirSync(join(home, 'elsewhere'));
cpSync(codex, join(home, 'elsewhere'), { recursive: true });
symlinkSync(join(home, 'elsewhere'), join(home, '.codex/sessions/link'));

const nowhere = tempDir();
const withRoot = tempDir();
const episode = episodeIn(join(withRoot, '.noesis/episodes'), { seed: 3 });

/** The meaning of a target: the ids of a list, or the error. */
async function named(args: readonly string[], world: World = {}): Promise<string[]> {
  const all = { cwd: nowhere, home, ...world };
  const { code, stdout } = await runHere(['list', '-j', ...args], all);
  if (code === 0) return (JSON.parse(stdout) as { episode: string }[]).map(({ episode: id }) => id);
  const { stderr } = await runHere(['list', '-q', ...args], all);
  return [`${code}`, ...stderr.trimEnd().split('\n')];
}

describe('latest', () => {
  test('is the session with the last record if there is no root, whatever the times of the files', async () => {
    expect(await named(['latest'])).toEqual([NEWEST_THREAD]);
    expect(await named(['latest', '--dialect', 'claude-code'])).toEqual([TRANSCRIPT]);
  });

  test('is an episode of the root, unless the dialect is one of sessions', async () => {
    expect(await named(['latest'], { cwd: withRoot })).toEqual([episode.id]);
    expect(await named(['latest', '--dialect', 'codex'], { cwd: withRoot })).toEqual([NEWEST_THREAD]);
  });

  test('is an episode of --root, whatever is in the home', async () => {
    const root = ['--root', join(withRoot, '.noesis')];
    expect(await named(['latest', '--dialect', 'codex', ...root])).toEqual([episode.id]);
    expect(await named(['latest', '--root', join(nowhere, 'runs')])).toEqual([
      '3',
      `error: there is no ${join(nowhere, 'runs')}`,
      expect.stringContaining('--root DIR'),
    ]);
  });

  test('is an episode of the root if the dialect has no session', async () => {
    const world = { cwd: withRoot, home: tempDir() };
    expect(await named(['latest', '--dialect', 'codex'], world)).toEqual([episode.id]);
  });

  test('is an error without a root and sessions', async () => {
    const [code, error] = await named(['latest'], { home: tempDir() });
    expect([code, error]).toEqual(['3', expect.stringContaining('no .noesis folder here or above')]);
  });
});

test('a folder with one session is that session, with the parts in its own folder', async () => {
  const folder = tempDir();
  cpSync(claude, folder, { recursive: true });
  writeTree({ 'state.json': '{"episode":{"id":"ep_without_log"}}' }, join(folder, TRANSCRIPT, 'inside'));
  expect(await named([join(folder, `${TRANSCRIPT}.jsonl`)])).toEqual([TRANSCRIPT]);
  const alone = tempDir();
  cpSync(join(claude, `${TRANSCRIPT}.jsonl`), join(alone, `${TRANSCRIPT}.jsonl`));
  expect(await named([alone])).toEqual([TRANSCRIPT]);
});

describe('an id', () => {
  test('is that of a session, or begins one', async () => {
    for (const text of [THREAD, '01a20265-9']) expect(await named([text])).toEqual([THREAD]);
    expect(await named([TRANSCRIPT, '--dialect', 'claude-code'])).toEqual([TRANSCRIPT]);
  });

  test('is searched for among the sessions if the root does not have it', async () => {
    expect(await named(['b25638d7'], { cwd: withRoot })).toEqual([TRANSCRIPT]);
    expect(await named([episode.id, '--dialect', 'codex'], { cwd: withRoot })).toEqual([episode.id]);
  });

  test('is not searched for there with --root, or if it is too short', async () => {
    const elsewhere = ['--root', join(withRoot, '.noesis')];
    expect(await named([THREAD, ...elsewhere])).toContainEqual(
      expect.stringContaining(`no run ${THREAD} under`),
    );
    expect(await named(['b25', '--dialect', 'claude-code'])).toContainEqual(
      'error: there is no path b25, and it is too short for an id',
    );
  });

  test('that fits several names the first ten', async () => {
    const many = tempDir();
    const META = '{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{}}\n';
    const ids = Array.from({ length: 12 }, (_, at) => `01a20265-${String(at).padStart(4, '0')}`);
    for (const id of ids) writeTree({ [`rollout-${id}.jsonl`]: META }, join(many, '.codex/sessions'));
    const [code, head, columns, ...rows] = await named(['01a20265', '--dialect', 'codex'], { home: many });
    expect([code, head]).toEqual(['2', 'error: 01a20265 matches 12 runs of codex:']);
    expect(columns).toMatch(/^ID +TIME UTC +STATUS/);
    expect(rows.slice(-2)).toEqual(['and 2 more', 'help: give one of these ids, or more characters']);
    const shown = rows.slice(0, -2).map((row) => row.split(' ')[0] ?? '');
    expect(shown).toHaveLength(10);
    for (const id of shown) expect(await named([id], { home: many })).toEqual([id]);
  });
});

describe('the id of a log', () => {
  const stream =
    '{"streamId":"feature-x","sequence":1,"type":"workflow.started","timestamp":"2026-03-02T09:00:00Z"}\n';

  test('is found in the working folder, in --root, and where its dialect keeps its logs', async () => {
    const log = { 'feature-x.events.jsonl': stream };
    const work = writeTree(log);
    const state = writeTree(log, join(tempDir(), '.exarchos/state'));
    const found = ['feature-x.events.jsonl'];
    expect(await named(['feature-x'], { cwd: work, home: undefined })).toEqual(found);
    expect(await named(['feature-x', '--root', work])).toEqual(found);
    expect(await named(['feature-x'], { home: join(state, '../..') })).toEqual(found);
    // Also next to a root.
    cpSync(work, withRoot, { recursive: true });
    expect(await named(['feature-x'], { cwd: withRoot })).toEqual(found);
    expect(await named([episode.id], { cwd: withRoot })).toEqual([episode.id]);
  });
});
