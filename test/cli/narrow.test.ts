import { cpSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/show/render/width.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const first = (folder: string): string => {
  const [log] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .sort();
  return join(folder, log ?? '');
};

/** A log of each dialect, and a word for a phase or a type that none of its events has. */
const LOGS: Readonly<Record<string, string>> = {
  noesis: join(EXAMPLES, '.noesis/episodes/ep_01KJQA4N40CCE7NY92CB90Q783'),
  exarchos: join(SAMPLES, 'exarchos/demo-feature.events.jsonl'),
  fishbowl: join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'),
  coordinator: join(SAMPLES, 'coordinator/interrupted-session1.jsonl'),
  'claude-code': join(
    SAMPLES,
    'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  ),
  codex: first(join(SAMPLES, 'codex/sessions')),
  copilot: first(join(SAMPLES, 'copilot/session-state')),
  generic: join(SAMPLES, 'fishbowl/envelope-vectors.jsonl'),
};

const SESSIONS = ['claude-code', 'codex', 'copilot'];

const PLAIN = { NO_COLOR: '1' };

/** Ids, commands and paths are never cut, because users copy them. */
const widest = (text: string): number =>
  Math.max(
    ...text
      .split('\n')
      .filter((line) => !/^(?:noesis show|\s*see noesis \w+) |^\s*\S+$/.test(line))
      .map(displayWidth),
  );

describe.each(Object.entries(LOGS))('%s', (dialect, log) => {
  test.each([40, 80, 200])('nothing is wider than a terminal of %i columns', async (columns) => {
    for (const args of [
      ['show', log],
      ['timeline', log],
      ['events', log],
      ['events', log, '--tree'],
      ['events', log, '--grep', 'e'],
      ['tail', log, '-n', '3'],
      ['stats', log],
      ['list', log],
      ['events', log, '--type', 'nothing-is-called-so'],
    ]) {
      const { stdout, stderr } = await runHere(args, { columns, env: PLAIN });
      expect([args, widest(stdout) > columns, widest(stderr) > columns]).toEqual([args, false, false]);
    }
  });

  test('show is not wider than a terminal of 40 columns however long the path of the log is', async () => {
    const home = tempDir();
    for (const length of sampled(
      Array.from({ length: 60 }, (_, index) => index + 1),
      6,
    )) {
      const folder = join(home, 'x'.repeat(length));
      cpSync(log, join(folder, basename(log)), { recursive: true });
      const { stdout } = await runHere(['show', join(folder, basename(log))], { columns: 40, env: PLAIN });
      expect([length, widest(stdout) > 40], stdout).toEqual([length, false]);
    }
  });

  test('the tables of many logs have the episode, the session or the log of each row, and fit', async () => {
    for (const columns of [40, 80, 200]) {
      const { stdout } = await runHere(['events', log, LOGS['noesis'] ?? '', '--last', '2'], {
        columns,
        env: PLAIN,
      });
      const heading = dialect === 'noesis' ? 'EPISODE' : SESSIONS.includes(dialect) ? 'SESSION' : 'LOG';
      expect(stdout).toMatch(new RegExp(`^${heading} +LINE `, 'm'));
      expect(stdout).toMatch(/^EPISODE +LINE /m);
      expect([columns, widest(stdout) > columns]).toEqual([columns, false]);
    }
  });

  test('an unknown word is named, with similar words or all of them', async () => {
    for (const args of [
      ['events', log],
      ['events', log, '-j'],
      ['events', log, '--tree'],
      ['tail', log],
      ['timeline', log],
    ]) {
      const found = await runHere([...args, '--type', 'zzzzzzzz']);
      expect([args, found.code]).toEqual([args, 0]);
      expect(found.stderr).toMatch(/no event of type zzzzzzzz/);
    }
  });
});

test('the tokens of a session are complete at any width', async () => {
  const { stdout } = await runHere(['show', '--full', LOGS['claude-code'] ?? ''], {
    columns: 80,
    env: PLAIN,
  });
  expect(stdout).toMatch(/^Tokens\ntotal .*(?:\n +.*)?\ncost .*\n\S+ +answers \d+, [^…]*output\s+\d/m);
});

test('a near word is offered in each dialect that has types', async () => {
  for (const [dialect, slip, meant] of [
    ['noesis', 'run.state_projectoin', 'run.state_projection'],
    ['exarchos', 'workflow.transitoin', 'workflow.transition'],
    ['fishbowl', 'agent.spoek', 'agent.spoke'],
    ['coordinator', 'session_strat', 'session_start'],
    ['copilot', 'session.strat', 'session.start'],
  ] as const) {
    const { stderr } = await runHere(['events', LOGS[dialect] ?? '', '--type', slip]);
    expect(stderr).toContain(`no event of type ${slip}; did you mean ${meant}?`);
  }
});

test('a filter that only some dialects have leaves out the logs of the others, and says so', async () => {
  const { code, stdout, stderr } = await runHere([
    'events',
    LOGS['noesis'] ?? '',
    LOGS['coordinator'] ?? '',
    '-p',
    'act',
    '-j',
  ]);
  expect([code, stderr]).toEqual([0, '--phase does not apply to coordinator logs: 1 log left out\n']);
  expect(stdout).toContain('"act"');
  const logs = [LOGS['fishbowl'] ?? '', LOGS['coordinator'] ?? ''];
  const none = await runHere(['events', ...logs, '--correlation', 'c']);
  expect(none.code).toBe(2);
});

test('logs that share an id are distinguished by their folders', async () => {
  const folder = join(EXAMPLES, 'damaged');
  const { stdout } = await runHere(
    ['events', join(folder, 'edited-log'), join(folder, 'tampered-state'), '-p', 'start'],
    { columns: 80, cwd: EXAMPLES, env: PLAIN },
  );
  expect(stdout).toMatch(/^edited-log\/ep_01KJPWD6…\s/m);
  expect(stdout).toMatch(/^tampered-state\/ep_01KJPWD6…\s/m);
});

test('a folder whose logs have other names says which one can be named', async () => {
  const { code, stderr } = await runHere(['list', 'runs'], {
    cwd: writeTree({ 'runs/mine.jsonl': '{"any":1}\n' }),
  });
  expect(code).toBe(3);
  expect(stderr.replace(/\s+/g, ' ')).toContain('name a log with an unusual name itself: runs/mine.jsonl');
});

test('a run and why it was vetoed are two commands', async () => {
  for (const columns of [40, 80, 200]) {
    const world = { columns, cwd: EXAMPLES, env: PLAIN };
    const { stderr } = await runHere(['list', '--root', '.noesis'], world);
    const [, command = ''] = /^noesis (show [^:\n]*)/m.exec(stderr) ?? [];
    const { stdout } = await runHere(command.split(' '), world);
    expect(stdout.replace(/\s+/g, ' ')).toContain('veto Task flagged as dangerous (policy governance.rules');
  }
});
