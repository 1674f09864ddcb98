import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GOOD, PAUSED, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD, PAUSED);
const [{ id, log, events }] = episodes;

describe('filters without a match say so', () => {
  test.each([
    [['-p', 'atc'], 'no event of phase atc; did you mean act?'],
    [['-p', 'ac*'], 'no event of phase ac*; did you mean act?'],
    [['-p', 'atc,zzzzzzzz'], 'no event of phase zzzzzzzz; found: act, '],
    [['-t', 'run.projection'], 'no event of type run.projection'],
    [['-t', 'rnu.*'], 'no event of type rnu.*'],
    [['--agent', 'nobody-at-all'], 'no event of agent nobody-at-all'],
    [['--since', '2030-01-01T00:00:00Z'], 'no event at that time: the log goes from 2026-03-02T09:00:00'],
    [['--until', '1999-01-01T00:00:00Z'], 'no event at that time'],
    [['-p', 'start', '-t', 'act'], 'no event passes all filters at once'],
  ])('%j', async (options, said) => {
    for (const args of [
      ['events', id],
      ['events', id, '-j'],
      ['tail', id],
      ['events', id, '--descendants', '1'],
      ['timeline', id],
      ['events', '--all'],
    ]) {
      const { code, stdout, stderr } = await runHere([...args, ...options], { cwd });
      expect(code).toBe(0);
      expect(stdout).toBe('');
      expect(stderr).toContain(said);
    }
  });

  test('but not with -q or without filters', async () => {
    for (const args of [
      ['events', id, '-p', 'atc', '-q'],
      ['events', id, '-p', 'act', '--limit', '0', '-q'],
      ['tail', id, '-p', 'act', '-n', '0', '-q'],
      ['events', '-', '-j', '--partial'],
    ])
      expect(await runHere(args, { cwd })).toMatchObject({ stdout: '', stderr: '' });
  });

  test('a log without events, and one that is streamed', async () => {
    const empty = tempFile('\n');
    const { stderr } = await runHere(['events', empty, '--dialect', 'noesis', '-p', 'act']);
    expect(stderr).toContain('the log has no event');
    for (const command of ['events', 'tail', 'timeline', 'read'])
      expect((await runHere([command, empty, '--dialect', 'noesis'])).stderr).toBe('the log has no event\n');
    const streamed = await runHere(['events', '-', '-j', '--partial', '-p', 'atc'], {
      input: '{"id":"a","phase":"act","payload":{}}\n',
    });
    expect([streamed.code, streamed.stdout, streamed.stderr]).toEqual([
      0,
      '',
      'no event of phase atc; did you mean act?\n',
    ]);
  });

  test('one of several words is named, although others select events', async () => {
    const said = 'no event of phase atc; did you mean act?\n';
    for (const args of [
      ['events', id],
      ['events', '--all'],
    ]) {
      const { code, stdout, stderr } = await runHere([...args, '-p', 'start,atc'], { cwd });
      expect([code, stderr]).toEqual([0, said]);
      expect(stdout).toContain('start');
      expect((await runHere([...args, '-p', 'start,act'], { cwd })).stderr).toBe('');
    }
  });

  test('of several logs: the words that any of them has', async () => {
    const other = tempFile('{"id":"a","phase":"atc2","payload":{}}\n');
    const { code, stderr } = await runHere(['events', id, other, '-p', 'atc'], { cwd });
    expect([code, stderr]).toEqual([0, 'no event of phase atc; did you mean act, atc2?\n']);
    const failed = await runHere(['events', other, other, '--failed']);
    expect([failed.code, failed.stderr]).toEqual([0, 'no event failed\n']);
  });

  test('a word from the trace is escaped', async () => {
    const hostile = tempFile('{"id":"a","phase":"act\\u001b[2J","payload":{}}\n');
    const { stderr } = await runHere(['events', hostile, '-p', 'act[2J']);
    expect(stderr).toContain('did you mean act\\x1b[2J?');
  });
});

test('two runs with nothing to compare', async () => {
  const { code, stderr } = await runHere(['diff', id, id, '--only', 'atc,zzz'], { cwd });
  expect([code, stderr]).toEqual([0, 'neither run has an event of atc or zzz\n']);
});

describe('an empty list says so', () => {
  test('a status that no episode has', async () => {
    const { code, stdout, stderr } = await runHere(['list', '--status', 'zzzz'], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^no run has the status zzzz; found: .*ok.*\n$/);
    expect((await runHere(['list', '--status', 'zzzz', '-j'], { cwd })).stdout).toBe('[]\n');
  });

  test.each(['list', 'stats', 'events', 'search x'])(
    'a mistyped status is a wrong use of %s, also next to another one',
    async (command) => {
      for (const [given, meant] of [
        ['okk', 'ok'],
        ['faild', 'failed'],
        ['fai', 'failed'],
        ['done,opn', 'open'],
      ] as const) {
        const { code, stderr } = await runHere([...command.split(' '), '--status', given], { cwd });
        expect(code).toBe(2);
        expect(stderr).toContain(`did you mean ${meant}`);
      }
    },
  );

  test('statistics of a status that no episode has', async () => {
    const { code, stderr } = await runHere(['stats', '--status', 'zzzz'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^no run has the status zzzz; found: /);
    expect((await runHere(['stats', '--status', 'ok,zzz', '--since', '2030-01-01'], { cwd })).stderr).toMatch(
      /^no run was active at that time: .*\n$/,
    );
  });

  test('a root without episodes', async () => {
    const root = tempDir();
    mkdirSync(join(root, '.noesis/episodes'), { recursive: true });
    expect((await runHere(['list'], { cwd: root })).stderr).toBe('found no runs\n');
    expect(await runHere(['list', '--root', root])).toMatchObject({
      code: 0,
      stderr: 'found no runs; a new root has none, so this is not an error\n',
    });
  });

  test('a limit of 0', async () => {
    expect(await runHere(['list', '--limit', '0'], { cwd })).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: expect.stringMatching(/^\d+ runs? not shown, because --limit is 0\n$/),
    });
    expect(await runHere(['list', '--limit', '0', '-j'], { cwd })).toMatchObject({
      stdout: '[]\n',
      stderr: '',
    });
  });

  test.each([
    [['events', '--limit', '0'], '--limit'],
    [['events', '--last', '0'], '--last'],
    [['events', '--all', '--limit', '0'], '--limit'],
    [['tail', '-n', '0'], '--lines'],
  ])('a limit of 0: %j', async (words, option) => {
    const { code, stdout, stderr } = await runHere(words, { cwd });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(new RegExp(`^no events shown, because ${option} is 0\\n$`, 'm'));
    if (words[0] === 'events')
      expect((await runHere([...words, '-j'], { cwd })).stderr).not.toContain('no events shown');
  });

  test('the status damaged names doctor, because damage is not a status', async () => {
    for (const command of ['list', 'stats'])
      expect((await runHere([command, '--status', 'damaged'], { cwd })).stderr).toMatch(
        /^damaged is not a status, because it is about the log and not the run; noesis doctor --all /m,
      );
  });

  test('the status failed names --failed', async () => {
    for (const command of ['list', 'stats'])
      expect((await runHere([command, '--status', 'failed'], { cwd })).stderr).toMatch(
        /^no run has the status failed.*; to see runs that failed: --failed\n$/,
      );
  });

  test.each([['list'], ['verify'], ['stats'], ['show'], ['events', '--all']])(
    'a root with episodes further down: %s names its folder',
    async (...args) => {
      const root = writeTree({ 'a/b/log.jsonl': '{"a":1}\n', 'a/b/events.jsonl': '{"a":1}\n' });
      const { stderr } = await runHere([...args, '--root', root]);
      expect(stderr.replace(/\s+/g, ' ')).toContain(`to see those in other folders: noesis list ${root}`);
    },
  );
});

describe('an event by its line', () => {
  const last = events.findLastIndex(({ caused_by: cause }) => cause !== undefined);
  const line = String(last + 1);

  test.each(['--chain', '--descendants'])('%s', async (option) => {
    const byId = await runHere(['events', id, option, events[last]?.id ?? '', '-j'], { cwd });
    const byLine = await runHere(['events', id, option, line, '-j'], { cwd });
    expect(byLine).toEqual(byId);
    expect(byId.stdout).not.toBe('');
    const { code, stderr } = await runHere(['events', id, option, '9999'], { cwd });
    expect(code).toBe(3);
    expect(stderr.replace(/\s+/g, ' ')).toContain('a line number works too');
  });

  test('an id that is a number comes first', async () => {
    const input = '{"id":"2","phase":"act","payload":{}}\n{"id":"1","phase":"act","payload":{}}\n';
    const { stdout } = await runHere(['events', '-', '--chain', '2', '-j'], { input });
    expect(stdout).toBe(input.slice(0, input.indexOf('\n') + 1));
  });
});

test('--ids adds the ids, whole, to a table', async () => {
  for (const args of [
    ['events', id],
    ['tail', id],
    ['tail', '-f', id],
  ]) {
    const { stdout } = await runHere([...args, '--ids', '-p', 'act'], { cwd });
    expect(stdout).toMatch(/ ID /);
    for (const event of events.filter(({ phase }) => phase === 'act'))
      expect(stdout).toContain(`${event.id} `);
  }
});

describe('in a pipe nothing is cut', () => {
  const type = `environment_verification_${'x'.repeat(60)}`;
  const input = `{"id":"a","phase":"act","event_type":"${type}","agent_id":"${'b'.repeat(99)}","payload":{"outcome":"${'o'.repeat(300)}"}}\n`;

  test.each(['noesis', 'exarchos', 'fishbowl', 'coordinator'])('%s', async (dialect) => {
    // A record with a phase is one of noesis.
    const other = dialect === 'noesis' ? input : input.replace('"phase":"act",', '');
    const stored = other.replace(
      '"event_type"',
      dialect === 'exarchos' ? '"type"' : dialect === 'fishbowl' ? '"kind"' : '"event_type"',
    );
    const args = ['events', '-', '--dialect', dialect];
    const piped = await runHere(args, { input: stored });
    expect(piped.stdout).not.toContain('…');
    if (dialect !== 'noesis') expect(piped.stdout).toContain(type);
    const narrow = await runHere(args, { input: stored, env: { COLUMNS: '80' } });
    expect(Math.max(...narrow.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('not even a list', async () => {
    const folder = tempDir();
    cpSync(join(log, '..'), join(folder, 'ep_x'), { recursive: true });
    writeFileSync(join(folder, 'ep_x/state.json'), `{"outcomes":{"status":"${'s'.repeat(200)}"}}`);
    const { stdout } = await runHere(['list', folder]);
    expect(stdout).toContain('s'.repeat(200));
  });
});

test('COLUMNS is used if it is a number', async () => {
  for (const COLUMNS of ['80.5', '-3', 'wide', '1e9', '0', '']) {
    const { code, stdout } = await runHere(['events', id], { cwd, env: { COLUMNS } });
    expect(code).toBe(0);
    expect(stdout).toBe((await runHere(['events', id], { cwd })).stdout);
  }
});
