import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resumeOf } from '../../src/dialects/resume.ts';
import { claude, logOf } from '../support/claude-records.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

/** The folder of a real run, by the name of its case. */
function realRun(name: string): string {
  const folder = join(SAMPLES, 'noesis', 'runtime', 'produced', name);
  return join(folder, readdirSync(folder).find((entry) => entry.startsWith('ep_')) ?? '');
}

describe('show: why a run ended', () => {
  test('shows an enforced veto with its policy, rule and score', async () => {
    const { code, stdout } = await runHere(['show', realRun('gov-enforce-veto')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status {4}vetoed$/m);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'veto Task flagged as dangerous (policy governance.rules, rule rules.veto.danger, score 0.95, mode enforce), line 6',
    );
  });

  test('shows a failed act with its tool, and terminate with the error', async () => {
    const { stdout } = await runHere(['show', realRun('failed-tool')]);
    expect(stdout).toMatch(/^failed act .*tool adapter:bad, step step-3, result error/m);
    expect(stdout).toContain('tool exploded: connection refused, line 9');
  });

  test('lists only the most frequent types of events, so that the reasons stay on the screen', async () => {
    const log = join(SAMPLES, 'coordinator', 'nested-two-sessions.jsonl');
    const { stdout } = await runHere(['show', log, '--full']);
    const [, kinds = ''] = /^Events +([\s\S]*?)\nIntegrity/m.exec(stdout) ?? [];
    const [all = 0, ...counts] = (kinds.match(/\d+(?= event|,|:|$)|(?<=\w )\d+(?=,)/g) ?? []).map(Number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all);
    expect(kinds.replace(/\s+/g, ' ')).toMatch(/, \d+ events of \d+ more types$/);
    expect(stdout.split('\n').slice(0, 20)).toContain('Why it ended');
    const { stdout: short } = await runHere(['show', log]);
    expect(short).toMatch(/^Events .*\n {10}.*…\nIntegrity/m);
    const { events } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
    expect(events).toBe(all);
  });

  test('separates earlier failures from the reasons for a good end', async () => {
    const [approved, retried] = [
      realRun('gov-audit-veto'),
      join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQ6PSG0DGB6DN0XWB2R05AD'),
    ];
    const { stdout } = await runHere(['show', approved]);
    expect(stdout).toMatch(
      /^Why it ended\nterminate Completed 3 minimal steps\. \(line 13\)\n\nOn the way\nveto, not enforced /m,
    );
    const { why, on_the_way } = JSON.parse((await runHere(['show', retried, '-j'])).stdout);
    expect([why, on_the_way]).toMatchObject([[{ kind: 'terminate' }], [{ kind: 'failed act', line: 7 }]]);
  });

  test('shows the beginning of a long task and a long message', async () => {
    const folder = join(SAMPLES, 'noesis', 'runtime', 'killed', 'k000');
    const { stdout } = await runHere(['show', join(folder, readdirSync(folder)[0] ?? '')]);
    expect(stdout).toMatch(/^Task .*(?:\n {10}.*)*…$/m);
    expect(stdout.split('\n').length).toBeLessThan(60);
  });

  test('says what a waiting run waits for', async () => {
    const { stdout } = await runHere(['show', realRun('pause-on-veto')]);
    expect(stdout).toMatch(/^Status {4}paused$/m);
    expect(stdout).toMatch(/^interrupt +Task flagged as dangerous, line 7$/m);
  });

  test('as JSON it is one document', async () => {
    const { stdout } = await runHere(['show', realRun('gov-enforce-veto'), '-j']);
    expect(JSON.parse(stdout)).toMatchObject({
      dialect: 'noesis',
      verdict: 'ok',
      status: 'vetoed',
      events: 9,
      why: [
        { kind: 'veto', line: 6 },
        { kind: 'terminate', line: 7 },
      ],
    });
  });

  test('shows the intact part of a damaged log', async () => {
    const folder = join(EXAMPLES, 'damaged', 'bad-json');
    const { code, stdout, stderr } = await runHere(['show', join(folder, readdirSync(folder)[0] ?? '')]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^terminate .* \(line 24\)$/m),
    });
    expect(stderr).toMatch(/^(\S+): skipped damaged line 7: not JSON: .*\n {2}see noesis verify \1\n$/);
  });

  test('shows the phase of a workflow, the guard that refused, the task that failed, and all tasks', async () => {
    const { code, stdout } = await runHere(['show', join(SAMPLES, 'exarchos', 'demo-feature.events.jsonl')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status {4}completed$/m);
    expect(stdout).toMatch(
      /^workflow\.guard-failed design-artifact-exists \(from ideate, to plan\), line 2$/m,
    );
    expect(stdout).toMatch(/^task\.failed {11}boom \(task t2\), line 16$/m);
    expect(stdout).toMatch(/^ {2}16 {4}t2 {2}complete {2}Two$/m);
  });

  test('shows the cast, the verdict and the winner of a run in a ledger', async () => {
    const ledger = join(SAMPLES, 'fishbowl', 'ledger-10-runs.scrubbed.jsonl');
    const { stdout } = await runHere(['show', `${ledger}#bc124f9e-8125-5260-9119-0f7988eba8ec`]);
    expect(stdout).toMatch(/^run\.finished player-1 won \(models stub:fast/m);
    expect(stdout).toMatch(/^ {2}player-1 {4}6 {5}stub:fast/m);
    expect((await runHere(['show', ledger])).stdout).toContain('a ledger of 10 runs');
  });

  test('shows the board of a plan, and its latest problem', async () => {
    const plan = join(EXAMPLES, 'other-dialects', 'coordinator', '.claude', 'bonfire', 'search-index');
    const { stdout } = await runHere(['show', plan]);
    // Another critic passed the task since.
    expect(stdout).toMatch(
      /^So far\nlast event \d{4}-\S+ \S+ UTC, auditor_dispatched, line 23\n {2}the log does not say that it ended$/m,
    );
    expect(stdout).toMatch(/^On the way\ncritic_fail add one \(task 1-1-2, agent crit-2\), line 18$/m);
    expect(stdout).toMatch(/^ {2}23 {4}1-1-2 {2}in_audit {2}3 attempts, aud-2$/m);
  });
});

test('show says when noesis.toml changed rules', async () => {
  const config = join(writeTree({ 'noesis.toml': '[verify.rules]\n"seal/*" = "off"\n' }), 'noesis.toml');
  const integrity = async (file: string) =>
    (await runHere(['show', realRun('gov-enforce-veto'), '--config', file])).stdout.replace(/\s+/g, ' ');
  expect(await integrity(config)).toMatch(/Integrity intact, sealed.* rules? changed by \S*noesis\.toml/);
  expect(await integrity('none')).not.toContain('changed by');
});

test('a run that ended with a veto has one status in every command', async () => {
  const event = (phase: string, payload: object) =>
    JSON.stringify({ phase, id: phase, timestamp: '2026-03-02T12:00:00Z', payload });
  const lines = [
    event('start', { task: 'x' }),
    event('plan', { steps: ['act:a'] }),
    event('terminate', { status: 'veto' }),
  ];
  const cwd = writeTree({ 'events.jsonl': `${lines.join('\n')}\n` });
  const run = async (...args: string[]) => (await runHere(args, { cwd })).stdout;
  for (const command of ['show', 'list', 'stats', 'read'])
    expect(await run(command, '.')).toMatch(/\bvetoed\b/);
  expect(await run('timeline', '.')).toContain('⊘ terminate');
  expect(await run('show', '.')).toMatch(/step-1 +pending/);
  expect(await run('project', '.')).toContain('pending');
});

describe('a part that was not checked', () => {
  const integrity = async (target: string) =>
    /^Integrity (.*(?:\n .*)*)/m.exec((await runHere(['show', target])).stdout)?.[1]?.replace(/\s+/g, ' ');
  const folder = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQA4N40CCE7NY92CB90Q783');

  test('is named if a log is shown without the files next to it', async () => {
    expect(await integrity(join(folder, 'events.jsonl'))).toBe('intact, sealed');
    const alone = writeTree({ 'alone.jsonl': readFileSync(join(folder, 'events.jsonl')) });
    expect(await integrity(join(alone, 'alone.jsonl'))).toBe(
      'undamaged, consistent, not sealed; edits may go unseen; state, projection, artifacts, manifest not checked (a log alone)',
    );
  });

  test('is said of edits, which nothing guards in a log without a seal', async () => {
    const log = join(
      SAMPLES,
      'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
    );
    const text = readFileSync(log, 'utf8');
    const edited = tempFile(text.replaceAll('expected 10, got 9', 'passed'), 'edited.jsonl');
    expect(readFileSync(edited, 'utf8')).not.toBe(text);
    for (const one of [log, edited])
      expect(await integrity(one)).toMatch(/^undamaged, .*; edits may go unseen/);
  });

  test('is named if the log has no evidence for a part of the state', async () => {
    const [legacy = ''] = readdirSync(join(EXAMPLES, 'legacy'));
    const state = async (target: string) =>
      /^State (.*(?:\n .*)*)/m.exec((await runHere(['show', target])).stdout)?.[1]?.replace(/\s+/g, ' ');
    expect((await state(join(EXAMPLES, 'legacy', legacy)))?.trim()).toBe(
      'an older runtime wrote this log: it has no evidence for outcomes, links, plan.steps[].status, outcomes.actions[].id, outcomes.actions[].kind, outcomes.actions[].step_id',
    );
    expect(await state(folder)).toBe(undefined);
  });

  test('does not exist in a complete episode', async () => {
    expect(await integrity(folder)).toBe('intact, sealed');
  });
});

describe('show of one event', () => {
  const vetoed = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQA4N40CCE7NY92CB90Q783');

  test('prints the whole event, with its cause as a row', async () => {
    const { stdout } = await runHere(['events', vetoed, '-p', 'governance', '-j', '--last', '1']);
    const { id } = JSON.parse(stdout) as { id: string };
    const shown = await runHere(['show', vetoed, id.slice(0, 8)]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/^Status {4}veto$/m);
    expect(shown.stdout).toMatch(/^ {4}details:\n {6}goal: Delete the production database$/m);
    expect(shown.stdout).toMatch(/^Caused by\n.*\n {2}10 {4}action_candidate /m);
  });

  test('prints its effects, and the findings that name it', async () => {
    const damaged = join(EXAMPLES, 'other-dialects', 'damaged', 'exarchos');
    const { stdout } = await runHere(['show', damaged, 'checkout:23']);
    expect(stdout).toMatch(/^ {4}patch:\n {6}tasks\[0\]\.status: complete$/m);
    expect(stdout).toContain('warn[projection/state]');
    const before = await runHere(['show', join(EXAMPLES, 'other-dialects', 'exarchos'), 'checkout:12']);
    expect(before.stdout).toMatch(/^Led to\n.*\n {2}13 {4}task\.completed/m);
  });

  test('prints hostile text as text', async () => {
    const event = {
      phase: 'reason',
      id: 'e1',
      payload: { text: 'a\u001b[2J\u202eb', list: ['x'.repeat(9000)] },
    };
    const { stdout } = await runHere(['show', '-', 'e1'], { input: `${JSON.stringify(event)}\n` });
    expect(stdout).toContain('a\\x1b[2J\\u{202e}b');
    expect(stdout.length).toBeLessThan(6000);
  });

  test('exits with 3 if it does not exist', async () => {
    expect((await runHere(['show', vetoed, 'nothing'])).code).toBe(3);
  });
});

describe('show --changes', () => {
  const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop');

  test('prints files, diffs and when tests ran', async () => {
    const { code, stdout } = await runHere(['show', SHOP, '--changes']);
    expect(code).toBe(0);
    expect(stdout).toContain('+const rate = 1;');
    expect(stdout).toContain('The last test run (line 12) is older than the last edit (line 19).');
    const document = JSON.parse((await runHere(['show', SHOP, '--changes', '-j'])).stdout);
    expect(document).toMatchObject({ files: [{ added: 1, removed: 1 }], last_edit: 19, last_test: 12 });
  });

  const subagents = join(SAMPLES, 'claude-code/projects/-home-usr-project');

  test('takes a change from the arguments of the call if its result has no details', async () => {
    const log = join(
      subagents,
      'ef958aa1-0e93-49f0-bb71-150f63befcd1/subagents/agent-a36efb2a1231c41e2.jsonl',
    );
    const { stdout } = await runHere(['show', log, '--changes', '-j']);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ added: 65, removed: 0, changes: [{ line: 12, kind: 'edit' }] }],
      last_edit: 12,
    });
    expect((await runHere(['read', log])).stdout).toContain('+## Comparison');
  });

  test('takes a new file and several edits, but nothing of a failed call, from arguments', async () => {
    const common = { sessionId: 's', version: '2.1.0', cwd: '/', timestamp: '2026-01-01T00:00:00Z' };
    const call = (id: string, name: string, input: object) => ({
      ...common,
      type: 'assistant',
      uuid: `c${id}`,
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    });
    const result = (id: string, isError = false) => ({
      ...common,
      type: 'user',
      uuid: `r${id}`,
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error: isError }],
      },
    });
    const edit = { old_string: 'a', new_string: 'b' };
    const records = [
      { ...common, type: 'user', uuid: 'u', message: { role: 'user', content: 'go' } },
      call('1', 'Write', { file_path: 'new.ts', content: 'one\ntwo\n' }),
      result('1'),
      call('2', 'MultiEdit', { file_path: 'two.ts', edits: [edit, { old_string: 'c', new_string: '' }, {}] }),
      result('2'),
      call('3', 'Edit', { file_path: 'bad.ts', ...edit }),
      result('3', true),
      call('4', 'NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'x' }),
      result('4'),
      call('5', 'NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'y', edit_mode: 'delete' }),
      result('5'),
    ];
    const log = tempFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { stdout } = await runHere(['show', log, '--changes', '-j', '--dialect', 'claude-code']);
    expect(JSON.parse(stdout).files).toMatchObject([
      { path: 'new.ts', added: 2, removed: 0, changes: [{ line: 2, kind: 'write' }] },
      { path: 'two.ts', added: 1, removed: 2, changes: [{ kind: 'edit' }, { kind: 'edit' }] },
      { path: 'n.ipynb', added: 1, removed: 0, changes: [{ line: 8, kind: 'edit' }] },
    ]);
  });

  test('is refused for one event', async () => {
    const { code, stderr } = await runHere(['show', SHOP, '7', '--changes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--changes is for the whole run')]);
  });

  test('says so if the log shows none', async () => {
    const { stdout } = await runHere([
      'show',
      join(EXAMPLES, 'other-dialects/exarchos/checkout.events.jsonl'),
      '--changes',
    ]);
    expect(stdout).toBe('No file changes in this log, and no command that may have made any\n');
  });

  test('says of a damaged log that its damaged lines may have had more', async () => {
    const log = join(SHOP, '5e550000-0000-4000-8000-00000000a001.jsonl');
    const stored = readFileSync(log, 'utf8').split('\n');
    const damaged = (kept: (line: string) => boolean) =>
      tempFile(stored.map((line, at) => (at === 1 || !kept(line) ? '{' : line)).join('\n'), 'd.jsonl');
    const some = damaged(() => true);
    expect((await runHere(['show', some, '--changes'])).stdout).toMatch(
      /^At least 1 file changed\nWithout 1 damaged line, which may have made changes\n/,
    );
    const { skipped } = JSON.parse((await runHere(['show', some, '--changes', '-j'])).stdout);
    expect(skipped).toMatchObject({ count: 1, lines: [2] });
    const none = damaged((line) => !line.includes('"tool_use"') && !line.includes('"structuredPatch"'));
    expect((await runHere(['show', none, '--changes'])).stdout).toMatch(
      /^No file changes in the intact lines, and no command that may have made any\nWithout \d+ damaged lines, /,
    );
  });
});

describe('a call of tests that the log lost', () => {
  const call = (second: number, name: string, input: object) =>
    claude(second, 'assistant', [{ type: 'tool_use', id: `t${second}`, name, input }], {
      parentUuid: `u${second - 1}`,
    });
  const result = (second: number) =>
    claude(second, 'user', [{ type: 'tool_result', tool_use_id: `t${second - 1}`, content: 'fine' }], {
      parentUuid: `u${second - 1}`,
    });
  const RECORDS = [
    claude(0, 'user', 'go'),
    call(1, 'Bash', { command: 'npm test' }),
    result(2),
    call(3, 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }),
    result(4),
    call(5, 'Bash', { command: 'npm test' }),
    result(6),
  ].map((record) => JSON.stringify(record));
  const lines = (records: readonly string[]) =>
    tempFile(records.map((record) => `${record}\n`).join(''), 'tests.jsonl');
  const WHOLE = lines(RECORDS);
  const changes = async (log: string) => (await runHere(['show', log, '--changes'])).stdout;
  const tests = async (log: string) =>
    /^Tests +.*? {2,}(.*)$/m.exec((await runHere(['diff', WHOLE, log])).stdout)?.[1];

  test('is not missed if the log is whole', async () => {
    expect(await changes(WHOLE)).not.toContain('older');
    expect(await tests(WHOLE)).toBe('2 runs');
  });

  test.each([
    ['1 damaged line', RECORDS.with(5, '{"type":"assis')],
    ['1 missing record', RECORDS.toSpliced(5, 1)],
  ])('may have come after the last edit: %s', async (lost, records) => {
    const log = lines(records);
    expect(await changes(log)).toContain(
      `The last known test run (line 2) is older than the last edit (line 4). A later one may be lost (${lost}).\n`,
    );
    expect(await tests(log)).toBe('≥ 1 run');
  });

  test('does not matter before the last edit', async () => {
    const log = lines(['{"type":"assis', ...RECORDS.slice(0, 5)]);
    expect(await changes(log)).toContain(
      'The last test run (line 3) is older than the last edit (line 5).\n',
    );
  });
});

test('show with two runs names the command that compares them', async () => {
  const folder = tempDir();
  const log = readFileSync(
    join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl'),
  );
  const [a, b] = ['a.jsonl', 'b.jsonl'];
  writeTree({ [a]: log, [b]: log, 'package.json': '{"name": "shop"}', 'one/c.jsonl': log }, folder);
  const world = { cwd: folder };
  for (const second of [b, join(folder, b), 'one', join('one', 'c.jsonl')]) {
    const { code, stderr } = await runHere(['show', a, second], world);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`help: run noesis diff ${a} ${second} to compare the two runs`),
    ]);
  }
  for (const second of ['nowhere.jsonl', a, join(folder, a), '.', folder, 'package.json', '-']) {
    const { code, stderr } = await runHere(['show', a, second], world);
    expect([second, code]).toEqual([second, 3]);
    expect(stderr, second).not.toMatch(/noesis diff|another run/);
  }
});

test('show --full says why no command resumes a session, and the short form does not', async () => {
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const reason = async (path: string, home: string) => {
    const short = (await runHere(['show', path], { home, cwd: home })).stdout;
    const full = (await runHere(['show', path, '--full'], { home, cwd: home })).stdout;
    return [/^Resume +(.*)$/m.exec(short)?.[1], /^Resume +(.*)$/m.exec(full)?.[1]];
  };
  const text = readFileSync(log, 'utf8');
  const home = tempDir();
  const projects = join(home, '.claude/projects/-home-usr-shop');
  writeTree({ '5e550000-0000-4000-8000-00000000a001.jsonl': text }, projects);
  writeTree(
    { 'agent-abcd123.jsonl': text },
    join(projects, '5e550000-0000-4000-8000-00000000a001/subagents'),
  );
  const inside = (name: string) => reason(join(projects, name), home);
  expect((await inside('5e550000-0000-4000-8000-00000000a001.jsonl'))[1]).toContain('claude --resume');
  const named = (id: string) =>
    resumeOf(
      { resume: { command: (one) => `go ${one}`, idOf: () => id } },
      { log: 'x', head: {}, cwd: undefined, isFolder: () => true },
    );
  expect(named('x')).toEqual({ command: 'go x' });
  expect(named('-x')).toEqual({ why: 'its id could be read as an option or as a command' });
  expect(resumeOf({}, { log: 'x', head: {}, cwd: undefined, isFolder: () => true })).toEqual({
    why: 'its program has no command that continues a session',
  });
  expect(await inside('5e550000-0000-4000-8000-00000000a001/subagents/agent-abcd123.jsonl')).toEqual([
    undefined,
    'no command: the log is a part of another session',
  ]);
  expect(await reason(log, home)).toEqual([
    undefined,
    'no command: its program does not look for sessions in this folder',
  ]);
});

test('says how many calls are in the records of calls, if one record has several', async () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: id } });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
  const shown = async (...calls: string[][]) => {
    const records = calls.flatMap((ids, index) => [
      claude(2 * index + 1, 'assistant', ids.map(call)),
      claude(2 * index + 2, 'user', ids.map(result)),
    ]);
    const log = logOf('s.jsonl', [claude(0, 'user', 'Read them'), ...records]);
    return (await runHere(['show', log], { columns: 80, env: { NO_COLOR: '1' } })).stdout;
  };
  const two = await shown(['a', 'b'], ['c']);
  expect(two).toMatch(/^Events .*call 2 \(3 calls in 2 records\)/m);
  expect(two).toMatch(/^ {2}3 .*Read$/m);
  expect(await shown(['a'], ['b'])).toMatch(/^Events .*call 2(?:,|$)/m);
});

test('counts records that are not conversation, or that repeat others, as other records of a session', async () => {
  const log = logOf('s.jsonl', [
    claude(0, 'user', 'Say hello'),
    claude(1, 'assistant', [{ type: 'text', text: 'Hello.' }]),
    { type: 'mode', mode: 'normal', sessionId: 'x' },
    { type: 'ai-title', aiTitle: 'Greeting', sessionId: 'x' },
  ]);
  const { stdout } = await runHere(['show', log], { columns: 80, env: { NO_COLOR: '1' } });
  expect(stdout).toMatch(/^Events {4}4: (?:answer 1, prompt 1|prompt 1, answer 1), and 2 other records$/m);
  expect(JSON.parse((await runHere(['show', log, '-j'])).stdout).counts).toEqual({
    meta: 2,
    prompt: 1,
    answer: 1,
  });
});
