import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis, SAMPLES } from '../support/cli.ts';
import { type Event, GOOD, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD);
const [{ id, lines, events }] = episodes;

/** The stored lines of the events that fit. */
const storedOf = (fits: (event: Event, index: number) => boolean) =>
  lines.filter((_, index) => fits(events[index] as Event, index)).map((line) => `${line}\n`);

/** Runs `noesis events <id> -j` with further options and expects these stored lines, byte for byte. */
async function expectStored(options: string[], stored: string[]): Promise<void> {
  const { code, stdout, stderr } = await runHere(['events', id, '-j', ...options], { cwd });
  expect(code).toBe(0);
  // Where nothing fits, it says why.
  expect(stderr === '').toBe(stored.length > 0 || options.includes('0'));
  expect(stdout).toBe(stored.join(''));
}

describe('events -j prints the stored lines', () => {
  test('of all events, in the order of the log', async () => {
    await expectStored(
      [],
      storedOf(() => true),
    );
  });

  test.each<[string[], (event: Event) => boolean]>([
    [['--phase', 'act'], ({ phase }) => phase === 'act'],
    [['-p', 'act,plan', '-p', 'start'], ({ phase }) => ['act', 'plan', 'start'].includes(phase)],
    [['--phase=ACT'], () => false],
    [['--type', 'run.*'], ({ event_type: type }) => type?.startsWith('run.') ?? false],
    [['-t', 'act'], ({ phase, event_type: type }) => phase === 'act' && type === undefined],
    [['-t', '*'], () => true],
    [['-t', '*t'], ({ phase, event_type: type }) => (type ?? phase).endsWith('t')],
    [['-t', 'runtime'], () => false],
    [['--agent', '*plan*'], ({ agent_id: agent }) => agent?.includes('plan') ?? false],
    [
      ['--agent', 'system,adapter:*'],
      ({ agent_id: agent = '' }) => agent === 'system' || agent.startsWith('adapter:'),
    ],
    [
      ['-p', 'act', '--agent', 'system'],
      ({ phase, agent_id: agent }) => phase === 'act' && agent === 'system',
    ],
  ])('of those that fit %j', async (options, fits) => {
    await expectStored(options, storedOf(fits));
  });

  test('between two instants, both inclusive, whatever their offsets', async () => {
    const [since, until] = [events[2]?.timestamp ?? '', events[5]?.timestamp ?? ''];
    const stored = storedOf((_, index) => index >= 2 && index <= 5);
    await expectStored(['--since', since, '--until', until], stored);
    const shifted = (text: string) =>
      `${new Date(Date.parse(text) + 5.5 * 3_600_000).toISOString().slice(0, 19)}${text.slice(19, 26)}+05:30`;
    await expectStored(['--since', shifted(since), '--until', shifted(until)], stored);
    await expectStored(['--since', '2026-03-03'], []);
    await expectStored(
      ['--until', '2026-03-03', '--since', '20260301'],
      storedOf(() => true),
    );
    await expectStored(['--since', '1d'], []);
    await expectStored(
      ['--since', '99999d'],
      storedOf(() => true),
    );
  });

  test('the first or the last N that match', async () => {
    const acts = storedOf(({ phase }) => phase === 'act');
    await expectStored(
      ['--limit', '3'],
      storedOf((_, index) => index < 3),
    );
    await expectStored(
      ['--last', '2'],
      storedOf((_, index) => index >= lines.length - 2),
    );
    await expectStored(['-p', 'act', '--limit', '2'], acts.slice(0, 2));
    await expectStored(['-p', 'act', '--last', '1'], acts.slice(-1));
    await expectStored(['--limit', '0'], []);
    await expectStored(
      ['--last', '1000'],
      storedOf(() => true),
    );
  });

  test('only the fields that --fields names', async () => {
    const { stdout } = await runHere(
      ['events', id, '-j', '-p', 'act', '--fields', 'id,payload.outcome, nothing'],
      { cwd },
    );
    const expected = events
      .filter(({ phase }) => phase === 'act')
      .map((event) => ({ id: event.id, payload: { outcome: event.payload['outcome'] } }));
    expect(stdout).toBe(expected.map((event) => `${JSON.stringify(event)}\n`).join(''));
  });

  test('-j works before and after the command', async () => {
    const { stdout } = await runHere(['-j', 'events', id, '--limit', '1'], { cwd });
    expect(stdout).toBe(`${lines[0]}\n`);
  });
});

describe('lineage', () => {
  const act = events.findLast(
    ({ phase, payload }) => phase === 'act' && payload['synthetic'] !== true,
  ) as Event & { id: string };
  const ancestors: number[] = [];
  for (
    let at = events.indexOf(act);
    at >= 0;
    at = events.findIndex((event) => event.id !== undefined && event.id === events[at]?.caused_by)
  )
    ancestors.push(at);

  test('a chain is the event, then each ancestor', async () => {
    expect(ancestors.length).toBeGreaterThan(5);
    await expectStored(
      ['--chain', act.id],
      ancestors.map((at) => `${lines[at]}\n`),
    );
    await expectStored(
      ['--chain', act.id.slice(0, 8)],
      ancestors.map((at) => `${lines[at]}\n`),
    );
  });

  test('filters choose from the chain', async () => {
    await expectStored(
      ['--chain', act.id, '-p', 'plan,start'],
      ancestors.filter((at) => /plan|start/.test(events[at]?.phase ?? '')).map((at) => `${lines[at]}\n`),
    );
    await expectStored(
      ['--chain', act.id, '--limit', '2'],
      ancestors.slice(0, 2).map((at) => `${lines[at]}\n`),
    );
    await expectStored(
      ['--chain', act.id, '--last', '1'],
      ancestors.slice(-1).map((at) => `${lines[at]}\n`),
    );
  });

  test('the descendants of the start are all its effects', async () => {
    const from = new Set([events[0]?.id]);
    for (const event of events)
      if (from.has(event.caused_by) && event.caused_by !== undefined) from.add(event.id);
    await expectStored(
      ['--descendants', events[0]?.id ?? ''],
      storedOf((event) => from.has(event.id)),
    );
    await expectStored(
      ['--descendants', events.at(-1)?.id ?? ''],
      storedOf((_, index) => index === events.length - 1),
    );
  });

  test('exits with 3 for an event that does not exist', async () => {
    for (const option of ['--chain', '--descendants']) {
      const { code, stdout, stderr } = await runHere(['events', id, option, 'nowhere'], { cwd });
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('no event nowhere in this log');
      expect((await runHere(['events', id, option, '9999'], { cwd })).stderr).toMatch(
        /no event 9999 in this log; the last one is on line \d+\n/,
      );
    }
  });
});

describe('the table', () => {
  test('is absent if no event matches, which is not an error', async () => {
    const { code, stdout, stderr } = await runHere(['events', id, '--phase', 'nothing', '--utc'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^no event of phase nothing; found: act, /)]);
    expect(stdout).toBe('');
  });

  test('shows the time of each event and the offset from the start of the episode', async () => {
    const { stdout } = await runHere(['events', id, '--utc', '--last', '2'], { cwd, env: { COLUMNS: '80' } });
    const [header, ...rows] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^LINE +2026-03-02 UTC +OFFSET +PHASE +DETAIL$/);
    const last = events.at(-1) as Event;
    const offset = (Date.parse(last.timestamp) - Date.parse(events[0]?.timestamp ?? '')) / 1000;
    expect(rows[1]).toContain(`${lines.length}`);
    expect(rows[1]).toContain(last.timestamp.slice(11, 23));
    const [, shown = ''] = /\+(\d+\.\d{3})s/.exec(rows[1] ?? '') ?? [];
    expect(Math.abs(Number(shown) - offset)).toBeLessThan(0.002);
  });

  test('shows the local time without --utc', async () => {
    const { stdout } = await noesis(['events', id, '--limit', '1'], { cwd, env: { TZ: 'Asia/Kolkata' } });
    expect(stdout).toContain('2026-03-02 +05:30');
    expect(stdout).toContain('14:30:00');
  });

  test('is cut to the width of the terminal if that is known', async () => {
    const narrow = await runHere(['events', id, '--utc'], { cwd, env: { COLUMNS: '70' } });
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(70);
    const wide = await runHere(['events', id, '--utc', '--limit', '1'], { cwd });
    expect(wide.stdout).toContain('Prepare the release notes → café');
  });

  test('has no header with -q', async () => {
    const { stdout } = await runHere(['events', id, '-q', '--limit', '2'], { cwd });
    expect(stdout).not.toContain('PHASE');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  });
});

test('insight is events --phase insight, with the same options', async () => {
  for (const options of [['-j'], ['--utc'], ['-j', '--limit', '1', '--fields', 'id']]) {
    const insight = await runHere(['insight', id, ...options], { cwd });
    const asEvents = await runHere(['events', id, '--phase', 'insight', ...options], { cwd });
    expect(insight).toEqual(asEvents);
    expect(insight.stdout).not.toBe('');
  }
});

describe('the date is in the heading if all events are of one day', () => {
  const session = 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl';
  const stored = readFileSync(join(SAMPLES, session), 'utf8');
  const withoutTime = stored.slice(0, stored.indexOf('\n') + 1);
  const headingOf = async (text: string): Promise<string> => {
    const folder = tempDir();
    writeFileSync(join(folder, 'session.jsonl'), text);
    const { stdout } = await runHere(['events', 'session.jsonl'], { cwd: folder });
    return stdout.slice(0, stdout.indexOf('\n'));
  };

  test('although the first and the last events have no time', async () => {
    expect(await headingOf(stored)).toMatch(/^LINE 2026-10-05 UTC OFFSET /);
    expect(await headingOf(stored + withoutTime)).toMatch(/^LINE 2026-10-05 UTC OFFSET /);
    expect(await headingOf(stored.repeat(3) + withoutTime.repeat(3))).toMatch(/^LINE 2026-10-05 UTC OFFSET /);
  });

  test('but not if the last event is of another day, or the last times are unknown', async () => {
    const later = stored.replaceAll('2026-10-05', '2026-10-06');
    expect(await headingOf(stored + later + withoutTime)).toMatch(/^LINE TIME UTC /);
    expect(await headingOf(stored + withoutTime.repeat(100))).toMatch(/^LINE TIME UTC /);
  });
});

describe('a result before its call', () => {
  const session = join(
    SAMPLES,
    'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  );
  const linesOf = async (...options: string[]) => {
    const { stdout } = await runHere(['events', session, '--tool', 'Read', ...options]);
    return stdout.split('\n').flatMap((line) => /^\d+/.exec(line) ?? []);
  };

  test('is an event of its tool', async () => {
    expect(await linesOf()).toEqual(['14', '15', '16', '17']);
    expect(await linesOf('--limit', '2')).toEqual(['14', '15']);
    expect(await linesOf('--last', '3')).toEqual(['15', '16', '17']);
    expect(await linesOf('--tree')).toContain('15');
    const { stdout } = await runHere(['events', session, '--tool', 'Read', '-j']);
    expect(stdout.match(/^/gm)).toHaveLength(5);
  });

  test('has the name of the tool in the table', async () => {
    const { stdout } = await runHere(['events', session, '--utc']);
    expect(stdout).toMatch(/^15 .* result +Read /m);
  });
});
