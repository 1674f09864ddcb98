import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as noesis from '../../src/library/index.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD, rootWith, VETOED } from '../support/episodes.ts';
import { textOf } from '../support/pages.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const good = episodeIn(tempDir(), GOOD);

describe('the library', () => {
  test('offers the names of the Python API, schemas and the verifier', () => {
    expect(Object.keys(noesis).toSorted()).toEqual(
      expect.arrayContaining([
        'EventLogIntegrityError',
        'NoesisError',
        'eventSchema',
        'followEvents',
        'iterEvents',
        'manifestSchema',
        'projectPlanState',
        'readEvents',
        'readState',
        'stateSchema',
        'verifyEpisode',
        'version',
      ]),
    );
  });

  test('has every documented function, with no more required arguments than documented', () => {
    const page = textOf('docs/library.md');
    const calls = [...page.matchAll(/^\| `(\w+)\((.*?)\)`/gm)];
    expect(calls.length).toBeGreaterThan(14);
    for (const [, name = '', given = ''] of calls) {
      const documented = given.replaceAll(/\{.*?\}/g, 'options').split(', ').length;
      const call = new Map<string, unknown>(Object.entries(noesis)).get(name);
      expect(call, name).toBeInstanceOf(Function);
      expect((call as { length: number }).length, name).toBeLessThanOrEqual(documented);
    }
  });

  test('reads events by the directory or the log, whole or one by one', async () => {
    expect(await noesis.readEvents(good.dir)).toEqual(good.events);
    const seen: unknown[] = [];
    for await (const event of noesis.iterEvents(good.log)) seen.push(event);
    expect(seen).toEqual(good.events);
    for (const event of good.events) expect(noesis.eventSchema.safeParse(event).success).toBe(true);
  });

  test('lets a reader stop early', async () => {
    for await (const event of noesis.iterEvents(good.dir)) {
      expect(event['phase']).toBe('start');
      break;
    }
  });

  test('fails closed with the place, in the words of the Python API', async () => {
    const line = `  {"id": ${'é'.repeat(200)}}`;
    const dir = writeTree({ 'events.jsonl': `${good.lines[0]}\n\n${line}\n` });
    const path = join(dir, 'events.jsonl');
    const error = await noesis.readEvents(dir).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(noesis.EventLogIntegrityError);
    expect(error).toBeInstanceOf(Error);
    const { corruption, message } = error as noesis.EventLogIntegrityError;
    expect(corruption).toEqual({
      path,
      lineNumber: 3,
      reason: expect.stringMatching(/^not JSON: /) as unknown,
      lineExcerpt: `{"id": ${'é'.repeat(150)}...`,
    });
    expect(message).toContain(path);
    expect(message).toContain('line 3');
  });

  test('passes the records and the damage of a log to a visitor', async () => {
    const dir = writeTree({ 'events.jsonl': `${good.lines[0]}\n\n{"id":\n${good.lines[1]}\n` });
    const seen: unknown[] = [];
    const extent = await noesis.readLog(join(dir, 'events.jsonl'), {
      record: ({ line, value }) => seen.push([line, value]),
      corrupt: ({ line }) => seen.push([line]),
    });
    expect(seen).toEqual([[1, good.events[0]], [3], [4, good.events[1]]]);
    expect(extent).toMatchObject({ lines: 4, blankLines: 1, records: 2, corruptions: 1, whole: false });
  });

  test('reads, projects and compares an episode with a compressed log, and names that log if it is damaged', async () => {
    const { dir, log } = episodeIn(tempDir(), GOOD);
    const [state, difference] = [await noesis.projectEpisode(dir), await noesis.diffEpisode(dir)];
    const bytes = readFileSync(log);
    rmSync(log);
    writeFileSync(`${log}.gz`, gzipSync(bytes));
    expect(await noesis.readEvents(dir)).toEqual(good.events);
    expect(await noesis.projectEpisode(dir)).toEqual(state);
    expect(await noesis.diffEpisode(dir)).toEqual(difference);
    writeFileSync(`${log}.gz`, gzipSync(Buffer.concat([bytes, Buffer.from('{"torn\n')])));
    for (const read of [noesis.readEvents, noesis.projectEpisode, noesis.diffEpisode])
      await expect(read(dir)).rejects.toMatchObject({
        code: 'log-corrupt',
        corruption: { path: `${log}.gz` },
      });
  });

  test('reads the state, and refuses one without its shape', async () => {
    const state = await noesis.readState(good.dir);
    expect(state).toEqual(JSON.parse(readFileSync(join(good.dir, 'state.json'), 'utf8')));
    expect(await noesis.readState(join(good.dir, 'state.json'))).toEqual(state);
    await expect(noesis.readState(tempDir())).rejects.toMatchObject({ code: 'state-missing' });
    const dir = writeTree({ 'state.json': '{"version":"1.0"}' });
    await expect(noesis.readState(dir)).rejects.toMatchObject({ code: 'state-invalid', place: { line: 1 } });
  });

  test('projects the plan from events, equal to the stored one, and null from none', async () => {
    const { plan } = await noesis.readState(good.dir);
    expect(noesis.projectPlanState(await noesis.readEvents(good.dir))).toEqual(plan);
    expect(noesis.projectPlanState([])).toBeNull();
  });

  test('EV-089, ST-040: takes an id or a prefix of one, as the command line does', async () => {
    const { cwd, episodes } = rootWith(GOOD, VETOED);
    const [one, other] = episodes;
    const root = join(cwd, '.noesis');
    for (const name of [one.id, one.id.slice(0, -2), one.dir, one.log])
      expect(await noesis.readEvents(name, { root })).toEqual(one.events);
    expect(await noesis.readState(other.id, { root })).toEqual(await noesis.readState(other.dir));
    const { signal } = new AbortController();
    for await (const followed of noesis.followEvents(one.id, { root, signal })) {
      expect(followed).toMatchObject({ kind: 'event', line: 1 });
      break;
    }
    await expect(noesis.readEvents('ep_', { root })).rejects.toMatchObject({ code: 'target-missing' });
    await expect(noesis.readEvents('ep_01KJ', { root })).rejects.toMatchObject({ code: 'target-ambiguous' });
    await expect(noesis.readState(one.id, { root: join(tempDir(), 'nowhere') })).rejects.toMatchObject({
      code: 'root-missing',
    });
    await expect(noesis.readEvents('-')).rejects.toThrow('the library does not read standard input');
    const packed = join(writeTree({ 'runs.zip': 'PK' }), 'runs.zip');
    await expect(noesis.readEvents(packed)).rejects.toThrow(`the library does not unpack ${packed}`);
    await expect(noesis.readEvents('no/where')).rejects.toMatchObject({ code: 'target-missing' });
  });

  test('gives the lines of events, including blank ones', async () => {
    const dir = writeTree({ 'events.jsonl': `\n${good.lines[0]}\n\n${good.lines[1]}\n` });
    const lines: number[] = [];
    for await (const { line } of noesis.iterNumberedEvents(join(dir, 'events.jsonl'))) lines.push(line);
    expect(lines).toEqual([2, 4]);
  });

  test('lists, projects and compares, as the commands do', async () => {
    const { cwd, episodes } = rootWith(GOOD, VETOED);
    const root = join(cwd, '.noesis');
    expect((await noesis.listEpisodes({ root })).map(({ episode }) => episode)).toEqual(
      episodes.map(({ id }) => id).toReversed(),
    );
    expect(await noesis.listEpisodes({ root, status: ['vetoed'] })).toHaveLength(1);
    expect(await noesis.listEpisodes({ root, limit: 1 })).toMatchObject([{ status: 'vetoed' }]);
    await expect(noesis.listEpisodes({ root: join(tempDir(), 'nowhere') })).rejects.toMatchObject({
      code: 'root-missing',
    });
    const [{ dir, id, events }] = episodes;
    const { state, underivable } = await noesis.projectEpisode(id, { root });
    expect(underivable).toEqual([]);
    expect(state['plan']).toEqual((await noesis.readState(dir)).plan);
    const first = await noesis.projectEpisode(id, { root, at: events[0]?.id ?? '' });
    expect(first.state).not.toHaveProperty('outcomes.actions.0');
    await expect(noesis.projectEpisode(dir, { at: 'nobody' })).rejects.toMatchObject({
      code: 'event-missing',
    });
    expect(await noesis.diffEpisode(dir)).toMatchObject({ equal: true, differences: [] });
    const path = join(dir, 'state.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"status":"done"', '"status":"failed"'));
    const { equal, differences } = await noesis.diffEpisode(dir);
    expect([equal, differences[0]]).toMatchObject([false, { stored: 'failed', projected: 'done' }]);
    expect(differences[0]?.evidence?.line).toBeGreaterThan(0);
    const plain = writeTree({ 'any.jsonl': '{"id":"a","type":"b"}\n' });
    await expect(noesis.diffEpisode(join(plain, 'any.jsonl'))).rejects.toMatchObject({
      code: 'projection-unsupported',
    });
  });

  test('projects one run of a ledger, up to a line of it; there is no state to compare it with', async () => {
    const log = join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl');
    const { dialect, state } = await noesis.projectEpisode(`${log}#bc124f9e`, { at: 1 });
    expect([dialect, state]).toMatchObject([
      'fishbowl',
      { runs: [{ run_id: 'bc124f9e-8125-5260-9119-0f7988eba8ec' }] },
    ]);
    await expect(noesis.projectEpisode(`${log}#nope`)).rejects.toMatchObject({ code: 'target-missing' });
    await expect(noesis.diffEpisode(`${log}#bc124f9e`)).rejects.toMatchObject({
      code: 'projection-unsupported',
      message: 'a log of this dialect (fishbowl) has no stored state',
    });
    const torn = join(writeTree({ 'events.jsonl': '{"torn' }), 'events.jsonl');
    await expect(noesis.projectEpisode(torn)).rejects.toBeInstanceOf(noesis.EventLogIntegrityError);
  });

  test('has no state for a log alone', async () => {
    const root = writeTree({ 'feature-x.events.jsonl': '{"streamId":"feature-x"}\n' });
    await expect(noesis.readState('feature-x', { root })).rejects.toMatchObject({ code: 'state-invalid' });
  });

  test('closes a log that was opened for appending', async () => {
    const log = join(writeTree({}), 'feature-x.events.jsonl');
    const writer = await noesis.openWriter(log, { dialect: 'exarchos' });
    const writing = writer.append({
      type: 'workflow.started',
      data: { featureId: 'feature-x', workflowType: 'feature' },
    });
    await writer.close();
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(2);
    expect((await writing).events).toHaveLength(1);
  });

  test('does not call a state equal if nothing can be compared', async () => {
    const example = join(EXAMPLES, 'other-dialects/coordinator/.claude/bonfire/search-index');
    const dir = tempDir();
    cpSync(example, dir, { recursive: true });
    writeFileSync(join(dir, 'state.json'), '{"of":"another program"}');
    await expect(noesis.diffEpisode(dir)).rejects.toMatchObject({ code: 'projection-unsupported' });
    const { equal, compared } = await noesis.diffEpisode(example);
    expect([equal, compared]).toEqual([true, expect.arrayContaining(['session_id', 'completed_tasks[0]'])]);
  });

  test('returns complete findings, however many there are', async () => {
    const dir = writeTree({ 'events.jsonl': 'x\n'.repeat(3000) });
    const log = join(dir, 'events.jsonl');
    const { verdict, findings, omitted } = await noesis.verifyEpisode(log);
    const corrupt = (all: typeof findings) => all.filter(({ code }) => code === 'log/invalid-json').length;
    expect([verdict, corrupt(findings)]).toEqual(['fail', 1000]);
    expect(omitted).toEqual([{ code: 'log/invalid-json', severity: 'error', count: 2000 }]);
    const all = await noesis.verifyEpisode(log, { maxFindings: 0 });
    expect(corrupt(all.findings)).toBe(3000);
    expect(all).not.toHaveProperty('omitted');
  });

  test('verifies an episode as data', async () => {
    expect(await noesis.verifyEpisode(good.dir)).toMatchObject({
      episode: good.id,
      verdict: 'ok',
      sealed: true,
      events: good.events.length,
    });
    const bad = episodeIn(tempDir(), GOOD);
    appendFileSync(bad.log, '{"torn');
    const { verdict, findings } = await noesis.verifyEpisode(bad.dir);
    expect(verdict).toBe('fail');
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'log/truncated', severity: 'error', line: good.lines.length + 1 }),
    );
    const lenient = await noesis.verifyEpisode(good.dir, { requireSignature: true });
    expect(lenient.verdict).toBe('fail');
    await expect(noesis.verifyEpisode(tempDir())).rejects.toMatchObject({ code: 'target-missing' });
  });

  test('follows a log until the signal is aborted', async () => {
    const dir = tempDir();
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const followed of noesis.followEvents(dir, { signal: stop.signal, pollMs: 5 })) {
      seen.push(followed.kind === 'event' ? [followed.line, followed.event['n']] : followed.kind);
      if (seen.length === 1) writeFileSync(join(dir, 'events.jsonl'), '{"n":1}\n');
      if (seen.length === 3) appendFileSync(join(dir, 'events.jsonl'), '\n{"n":2}\n');
      if (seen.length === 4) stop.abort();
    }
    expect(seen).toEqual(['missing', 'appeared', [1, 1], [3, 2]]);
  });

  test('follows a log by its path, and fails for an invalid one', async () => {
    const { signal } = new AbortController();
    for await (const followed of noesis.followEvents(good.log, { signal })) {
      expect(followed).toEqual({ kind: 'event', line: 1, event: good.events[0] });
      break;
    }
    const dir = writeTree({ 'events.jsonl/f': '' });
    await expect(noesis.followEvents(dir, { signal }).next()).rejects.toThrow('is not a file');
  });

  test.each([-1, Number.NaN, Infinity, 2 ** 31])('no log is read every %s ms', async (pollMs) => {
    await expect(noesis.followEvents(good.log, { pollMs }).next()).rejects.toMatchObject({ code: 'usage' });
  });

  test('follows a log by its path before it exists', async () => {
    const path = join(tempDir(), 'later.jsonl');
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    for await (const followed of noesis.followEvents(path, { signal, pollMs: 5 })) {
      seen.push(followed.kind === 'event' ? followed.event['n'] : followed.kind);
      if (seen.length === 1) writeFileSync(path, '{"n":1}\n');
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['missing', 'appeared', 1]);
  });

  test('keeps events that arrive while its reader works', async () => {
    const path = join(writeTree({ 'events.jsonl': '{"n":1}\n' }), 'events.jsonl');
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    for await (const followed of noesis.followEvents(path, { signal, pollMs: 1 })) {
      if (followed.kind === 'event') seen.push(followed.event['n']);
      if (seen.length === 3) break;
      appendFileSync(path, `{"n":${seen.length + 1}}\n`);
      await setTimeout(20);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  test('follows until a corrupt line, and yields the events before it', async () => {
    const dir = writeTree({ 'events.jsonl': '{"n":1}\nx\n{"n":3}\n' });
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const followed of noesis.followEvents(dir, { signal, pollMs: 5 })) seen.push(followed);
    })();
    await expect(reading).rejects.toMatchObject({
      name: 'EventLogIntegrityError',
      corruption: { lineNumber: 2 },
    });
    expect(seen).toEqual([{ kind: 'event', line: 1, event: { n: 1 } }]);
  });

  test('follows without a signal until the loop is left, and names the log by its whole path', async () => {
    const dir = writeTree({ 'events.jsonl': '{"n":1}\nx\n' });
    for await (const followed of noesis.followEvents(dir)) {
      expect(followed).toMatchObject({ kind: 'event', line: 1 });
      break;
    }
    const path = join(dir, 'events.jsonl');
    const reading = (async () => {
      for await (const _ of noesis.followEvents(relative('.', path)));
    })();
    await expect(reading).rejects.toMatchObject({ corruption: { path } });
  });

  test('reads no further than its reader, so it needs little memory for a long log', async () => {
    const lines = 40_000;
    const log = join(
      writeTree({ 'events.jsonl': `{"old":"${'x'.repeat(100)}"}\n`.repeat(lines) }),
      'events.jsonl',
    );
    let old = 0;
    for await (const followed of noesis.followEvents(log, { pollMs: 5 })) {
      if (followed.kind === 'event' && 'old' in followed.event) old += 1;
      if (old === 1) {
        // Time enough to read all of it.
        await setTimeout(300);
        writeFileSync(log, '{"new":1}\n');
        old += 1;
      }
      if (followed.kind === 'event' && 'new' in followed.event) break;
    }
    expect(old).toBeGreaterThan(1);
    expect(old).toBeLessThan(lines / 2);
  });

  test('does not follow a compressed log', async () => {
    const log = join(writeTree({ 'events.jsonl.gz': gzipSync('{"n":1}\n') }), 'events.jsonl.gz');
    await expect(noesis.followEvents(log).next()).rejects.toMatchObject({ code: 'usage' });
  });

  test('does not follow anything but a file', async () => {
    await expect(noesis.followEvents('/dev/null').next()).rejects.toMatchObject({
      name: 'FileError',
      code: 'unreadable',
    });
  });

  test('writes nothing if its signal is already aborted', async () => {
    const log = join(tempDir(), 'a.events.jsonl');
    const event = { type: 'task.assigned', data: { taskId: 't', title: 'x' } };
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(noesis.appendEvent(log, event, { signal })).rejects.toThrow('enough');
    expect(existsSync(log)).toBe(false);
    expect((await noesis.appendEvent(log, event)).sequence).toBe(1);
  });

  test('refuses empty options', async () => {
    const root = join(rootWith(GOOD).cwd, '.noesis');
    for (const ask of [
      () => noesis.listEpisodes({ root, limit: -1 }),
      () => noesis.diffRuns(good.dir, good.dir, { limit: Number.NaN }),
    ])
      await expect(ask()).rejects.toMatchObject({ name: 'UsageError', code: 'usage' });
  });

  test('names neither options of the command line nor ignored variables if there is no root', async () => {
    const missing = join(tempDir(), 'missing');
    for (const ask of [
      () => noesis.listEpisodes({ root: missing }),
      () => noesis.readEvents('ep_01', { root: missing }),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: 'root-missing',
        hint: expect.not.stringMatching(/--root|NOESIS/) as unknown,
      });
  });
});
