import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunDifference } from '../../src/library/index.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const REPLAY = join(SAMPLES, 'noesis/replay');
const EPISODE = 'ep_01JGFJJZ00CTSPE3DKFP348M8P';
const [A, B] = [join(REPLAY, 'run_a', EPISODE), join(REPLAY, 'run_b', EPISODE)];
const [OK, VETOED] = ['ep_01KJQ6PSG0DGB6DN0XWB2R05AD', 'ep_01KJQA4N40CCE7NY92CB90Q783'];

describe('diff', () => {
  test('of equal runs says so, and ends with 0', async () => {
    const { code, stdout } = await runHere(['diff', A, B]);
    expect(code).toBe(0);
    expect(stdout).toContain('Events    13 same; ids and times not compared (--exact)\n');
    expect(stdout).toContain('no difference in what the runs did');
    const listed = await runHere(['diff', A, B, '--limit', '5']);
    expect(listed.stdout).toContain('Events: 13 same; ids and times not compared (--exact)\n');
    const exact = await runHere(['diff', A, A, '--exact']);
    expect(exact.stdout).toContain('Events: 13 same\n');
  });

  test('names the first difference first, then the events, then what resulted; and ends with 1', async () => {
    const { code, stdout } = await runHere(['diff', OK, VETOED, '--limit', '50']);
    expect(code).toBe(1);
    const order = ['First difference: start', 'Events: ', '  ~ ', '\nOutcome\n', 'State: plan', '\nCounts\n'];
    const places = order.map((text) => stdout.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(stdout).toMatch(/\n {2}stopped by governance\.rules [\w.]+: none → 1\n/);
  });

  test('prints one document with -j, with all events or at most N', async () => {
    const { code, stdout } = await runHere(['diff', OK, VETOED, '-j']);
    expect(code).toBe(1);
    const all = outputIn(stdout) as RunDifference;
    const { changed, missing, added } = all.counts;
    expect([all.events.length, all.moreEvents]).toEqual([changed + missing + added, 0]);
    expect(all.events[0]).toEqual(all.first);
    const two = outputIn((await runHere(['diff', OK, VETOED, '-j', '--limit', '2'])).stdout) as RunDifference;
    expect([two.events, two.moreEvents]).toEqual([all.events.slice(0, 2), all.events.length - 2]);
    const same = outputIn((await runHere(['diff', A, B, '-j'])).stdout) as RunDifference;
    expect([same.equal, same.events]).toEqual([true, []]);
  });

  test('leaves out what --ignore names', async () => {
    const log = readFileSync(join(A, 'events.jsonl'), 'utf8');
    const other = tempFile(log.replaceAll('"payload":{', '"payload":{"extra":1,'));
    expect((await runHere(['diff', A, other, '-q'])).code).toBe(1);
    expect((await runHere(['diff', A, other, '-q', '--ignore', 'payload.extra'])).code).toBe(0);
    expect((await runHere(['diff', A, B, '--exact'])).code).toBe(1);
    expect((await runHere(['diff', A, B, '--only', 'act,reflect'])).stdout).toContain('Events: 5 same');
    const bad = await runHere(['diff', A, B, '--ignore', 'a b']);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('"a b" is not a path')]);
  });

  test('refuses a corrupt log', async () => {
    const torn = tempFile('{"torn\n');
    const { code, stdout, stderr } = await runHere(['diff', A, torn, '--dialect', 'noesis']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('line 1 of events.jsonl is damaged');
    expect((await runHere(['diff', '-', '-'])).code).toBe(2);
  });

  test('compares what runs of two formats did, but not their events', async () => {
    const codex = join(
      SAMPLES,
      'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
    );
    const copilot = join(SAMPLES, 'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a');
    const { code, stdout } = await runHere(['diff', codex, copilot, '--limit', '50'], { columns: 100 });
    expect(code).toBe(1);
    expect(stdout).toMatchSnapshot();
    const { counts, events, blocks, state, metrics, behaviour } = outputIn(
      (await runHere(['diff', codex, copilot, '-j'])).stdout,
    ) as RunDifference;
    expect([counts, events, blocks, state, metrics]).toEqual([
      { same: 0, changed: 0, missing: 0, added: 0 },
      [],
      [],
      [],
      [],
    ]);
    expect([behaviour.sameSteps, behaviour.failed.both]).toEqual([5, 1]);
    for (const option of ['--exact', '--times', '--only=call', '--ignore=id']) {
      const refused = await runHere(['diff', codex, copilot, option]);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain('events of two dialects cannot be compared: codex and copilot');
    }
    const page = await runHere(['view', codex, copilot, '-o', '-']);
    expect([page.code, page.stderr]).toEqual([0, '']);
  });

  test('runs of two formats that did the same are equal, however they write a path', async () => {
    const [codex, claude] = [
      [
        ['session_meta', { id: 't', cwd: '/w', cli_version: '0.128.0' }],
        ['event_msg', { type: 'user_message', message: 'go' }],
        [
          'response_item',
          {
            type: 'custom_tool_call',
            call_id: 'c',
            name: 'apply_patch',
            input: '*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch',
          },
        ],
        ['response_item', { type: 'custom_tool_call_output', call_id: 'c', output: 'fine' }],
      ].map(([type, payload]) => ({ timestamp: '2026-01-01T00:00:00Z', type, payload })),
      [
        { type: 'user', message: { role: 'user', content: 'go' } },
        {
          type: 'assistant',
          message: {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'c', name: 'Write', input: { file_path: '/w/a.txt', content: 'a' } },
            ],
          },
        },
        {
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'fine' }] },
        },
      ].map((one, at) => ({ uuid: `u${at}`, parentUuid: null, sessionId: 's', isSidechain: false, ...one })),
    ].map((records, at) =>
      tempFile(
        records.map((one) => `${JSON.stringify(one)}\n`).join(''),
        `${at === 0 ? 'rollout-x' : 's'}.jsonl`,
      ),
    );
    const { files, texts } = (
      outputIn((await runHere(['diff', `${codex}`, `${claude}`, '-j'])).stdout) as RunDifference
    ).behaviour;
    expect([files, texts]).toEqual([{ both: ['a.txt'], a: [], b: [], maybe: [], differ: [] }, []]);
    const questions = tempFile(
      readFileSync(`${claude}`, 'utf8').split('\n').slice(0, 1).join('\n').concat('\n'),
      's.jsonl',
    );
    const asked = tempFile(
      readFileSync(`${codex}`, 'utf8').split('\n').slice(0, 2).join('\n').concat('\n'),
      'rollout-y.jsonl',
    );
    expect(await runHere(['diff', asked, questions])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no difference in what the runs did'),
    });
  });

  test('names a failed call by its line and that of its result', async () => {
    const session = join(
      SAMPLES,
      'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
    );
    const other = join(
      SAMPLES,
      'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
    );
    const { stdout } = await runHere(['diff', session, other]);
    expect(stdout).toMatch(/^Calls.*\n {2}- A:12 {4}Bash {2}npm test/m);
    expect(stdout).toMatch(/^Failed.*\n {2}- A:12, result 13 +Bash {2}npm test/m);
  });

  test('says if only what was stored differs', async () => {
    const log = readFileSync(join(A, 'events.jsonl'), 'utf8');
    const other = tempFile(log.replaceAll('"payload":{', '"payload":{"extra":1,'));
    const { code, stdout } = await runHere(['diff', A, other]);
    expect(code).toBe(1);
    expect(stdout).toContain('the steps are the same, but what the runs stored differs\n');
  });

  test.each([
    ['exarchos', 'exarchos/demo-feature.events.jsonl', 'exarchos/rehydrate-demo.events.jsonl'],
    ['coordinator', 'coordinator/nested-two-sessions.jsonl', 'coordinator/interrupted-session1.jsonl'],
  ])('knows %s', async (_, first, second) => {
    const [a, b] = [join(SAMPLES, first), join(SAMPLES, second)];
    expect((await runHere(['diff', a, a])).code).toBe(0);
    const { code, stdout, stderr } = await runHere(['diff', a, b]);
    expect([code, stderr]).toEqual([1, '']);
    const parts = ['Status', 'Worked', 'Lasted', 'Steps', 'Failed', 'Outcome', 'Texts', 'Events', 'State'];
    expect(stdout.match(/^[A-Z][a-z]+(?= {2})/gm)).toEqual(parts);
    expect(stdout).not.toContain('First difference: ');
    expect((await runHere(['diff', a, b, '--limit', '1'])).stdout).toContain('First difference: ');
  });

  describe('of two sessions', () => {
    const [first, second] = [
      '-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
      '-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
    ].map((path) => join(SAMPLES, 'claude-code/projects', path));

    test('has no state, which is not stored, and no counts, which follow from the events', async () => {
      for (const options of [[], ['--limit', '5'], ['--exact']]) {
        const { code, stdout } = await runHere(['diff', `${first}`, `${second}`, ...options]);
        expect(code).toBe(1);
        expect(stdout).toMatch(/^Events/m);
        expect(stdout).not.toMatch(/^(?:State|Counts|Metrics)|\.(?:p50|p95|count):/m);
      }
    });

    test('names durations in words', async () => {
      const { stdout } = await runHere(['diff', `${first}`, `${second}`, '--times']);
      const [, durations = ''] = stdout.split('\nDurations\n');
      expect(durations).toMatch(/^ {2}the run: \S.* → \S.*$/m);
      for (const line of durations.trimEnd().split('\n'))
        expect(line).toMatch(/^ {2}[\w :./-]+(?:, (?:median|95th percentile|longest))?: .* → .*$/);
    });
  });

  test('names two programs, and their models, once', async () => {
    const [codex, copilot] = [
      'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
      'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a',
    ].map((path) => join(SAMPLES, path));
    const { stdout } = await runHere(['diff', `${codex}`, `${copilot}`]);
    expect(stdout).toMatch(/^Dialect +codex +copilot$/m);
    expect(stdout).toContain('\nEvents    not compared, because the dialects differ\n');
    expect(stdout.match(/^Model/gm)).toHaveLength(1);
    expect(stdout).not.toContain('another model');
  });

  test('shows hostile text as text, and in colour only if there is any', async () => {
    const folder = tempDir();
    const event = (task: string) =>
      `${JSON.stringify({ id: 'a', phase: 'start', payload: { task }, timestamp: '2026-01-01T00:00:00Z' })}\n`;
    writeFileSync(join(folder, 'a.jsonl'), event('x\u001b[2J\u202e'));
    writeFileSync(join(folder, 'b.jsonl'), event('y\u0007\n::error::z'));
    const args = ['diff', join(folder, 'a.jsonl'), join(folder, 'b.jsonl'), '--dialect', 'noesis'];
    const plain = await runHere(args);
    expect(plain.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const coloured = await runHere([...args, '--color', 'always'], { columns: 40 });
    expect(coloured.stdout).toContain('\u001b[36m');
    for (const line of coloured.stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n'))
      expect(line.length).toBeLessThanOrEqual(40);
  });

  test('takes a run from standard input', async () => {
    const input = readFileSync(join(B, 'events.jsonl'), 'utf8');
    expect((await runHere(['diff', A, '-'], { input })).code).toBe(0);
    expect((await runHere(['diff', join(EXAMPLES, 'nowhere'), A])).code).toBe(3);
  });
});
