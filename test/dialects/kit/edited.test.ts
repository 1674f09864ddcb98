import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';

// Sessions whose messages are replaced and taken back, with logs of Gemini CLI.

const HEADER = { sessionId: 's-1', projectHash: 'f00d', startTime: '2026-11-23T09:30:00.000Z' };

const message = (id: string, type: string, content: string, more: object = {}) => ({
  id,
  timestamp: `2026-11-23T09:30:${id.slice(1).padStart(2, '0')}.000Z`,
  type,
  content,
  ...more,
});

const call = (id: string, status = 'success') => ({
  id,
  name: 'read_file',
  args: { file_path: '/a' },
  status,
  timestamp: '2026-11-23T09:30:59.000Z',
  result: [{ functionResponse: { id, name: 'read_file', response: { output: 'text' } } }],
});

const response = (id: string) => [{ functionResponse: { id, name: 'read_file', response: { output: 'x' } } }];

const tokens = { input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, total: 12 };

const list = (...messages: readonly object[]) => ({ $set: { messages } });

function logOf(...records: readonly object[]): string {
  const log = join(tempDir(), 'session-2026-11-23T09-30-5e551011.jsonl');
  const id = '5e551011-0000-4000-8000-000000000000';
  const all = records[0] === HEADER ? [{ ...HEADER, sessionId: id }, ...records.slice(1)] : records;
  writeFileSync(log, all.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return log;
}

async function findingsIn(...records: readonly object[]): Promise<string[]> {
  const { stdout } = await runHere(['verify', logOf(...records), '-j']);
  const report: { episodes: { findings: Finding[] }[] } = JSON.parse(stdout);
  return report.episodes.flatMap(({ findings }) =>
    findings.map(({ severity, code, line }) => `${severity} ${code} ${line}`),
  );
}

async function sessionOf(...records: readonly object[]): Promise<SessionDocument> {
  return JSON.parse((await runHere(['project', logOf(...records), '-j'])).stdout);
}

const PROMPT = message('m1', 'user', 'Look');
const ANSWER = message('m2', 'gemini', 'I look', { tokens, model: 'g' });
const WORK = { ...ANSWER, toolCalls: [call('c1')] };

test.each<[string, readonly object[], string[]]>([
  ['a message that gets its calls later', [HEADER, PROMPT, ANSWER, WORK, WORK], []],
  [
    'another type, and another time',
    [HEADER, PROMPT, { ...PROMPT, type: 'info' }, { ...PROMPT, type: 'info', timestamp: ANSWER.timestamp }],
    ['warn event/type-changed 3', 'warn event/type-changed 4'],
  ],
  [
    'a message that loses its call, then its tokens',
    [HEADER, PROMPT, WORK, ANSWER, message('m2', 'gemini', 'I look', { model: 'g' })],
    ['warn event/upsert-lost 4', 'warn event/upsert-lost 5'],
  ],
  [
    'a list with a message twice, which leaves out another',
    [HEADER, PROMPT, ANSWER, list(PROMPT, PROMPT)],
    ['info session/history-replaced 4', 'warn event/duplicate-id 4'],
  ],
  [
    'a list that leaves out what a later one has',
    [HEADER, PROMPT, ANSWER, list(PROMPT), list(PROMPT, ANSWER)],
    [],
  ],
  [
    'a message that was taken back before',
    [HEADER, PROMPT, { $rewindTo: 'm1' }, { $rewindTo: 'm1' }],
    ['warn session/rewind-unknown 4'],
  ],
  ['no header', [PROMPT, ANSWER], ['warn order/start-not-first 1']],
  ['a list first', [list(PROMPT), ANSWER], ['warn order/start-not-first 1']],
  ['an unknown key of $set', [HEADER, { $set: { colour: 'green' } }], ['info event/unknown-type 2']],
  [
    'a result of a call that the log has not',
    [HEADER, PROMPT, message('m2', 'user', '', { content: response('c9') })],
    ['error tool/orphan-result 3'],
  ],
  [
    'a result again, as the model got it',
    [HEADER, PROMPT, WORK, message('m3', 'user', '', { content: response('c1') })],
    [],
  ],
  [
    'a call of two messages',
    [HEADER, PROMPT, WORK, { ...message('m3', 'gemini', ''), model: 'g', toolCalls: [call('c1')] }],
    ['info tool/duplicate-call 4'],
  ],
  [
    'a call that has not ended',
    [HEADER, PROMPT, { ...ANSWER, toolCalls: [call('c1', 'executing')] }],
    ['info tool/open 3'],
  ],
  [
    'a total that is not the sum',
    [HEADER, PROMPT, { ...ANSWER, tokens: { ...tokens, total: 13 } }],
    ['info usage/total 3'],
  ],
  ['a message without an id', [HEADER, { ...PROMPT, id: undefined }], ['error event/missing-field 2']],
])('verify says of %s what there is to say', async (_, records, expected) => {
  expect(await findingsIn(...records)).toEqual(expected);
});

test.each<[string, readonly object[], string, (true | undefined)[]]>([
  ['an answer', [PROMPT, ANSWER], 'done', [undefined]],
  ['a call', [PROMPT, ANSWER, WORK], 'open', [undefined]],
  [
    'a cancelled call',
    [PROMPT, { ...ANSWER, toolCalls: [call('c1', 'cancelled')] }],
    'interrupted',
    [undefined],
  ],
  ['an error', [PROMPT, message('m2', 'error', 'no network')], 'error', [undefined]],
  [
    'a prompt that a list leaves out',
    [PROMPT, ANSWER, message('m3', 'user', 'More'), list(PROMPT, ANSWER)],
    'withdrawn',
    [undefined, true],
  ],
  [
    'a prompt that was taken back',
    [PROMPT, ANSWER, message('m3', 'user', 'More'), { $rewindTo: 'm3' }],
    'done',
    [undefined, true],
  ],
  ['an id that is unknown', [PROMPT, ANSWER, { $rewindTo: 'm7' }], 'done', [true]],
  ['a compaction', [PROMPT, ANSWER, list(message('m8', 'user', 'What was done'))], 'done', [undefined]],
  ['a list that is put right', [PROMPT, ANSWER, list(), list(PROMPT, ANSWER)], 'done', [undefined]],
  ['a prompt without an id', [{ ...PROMPT, id: undefined }, ANSWER], 'done', [undefined]],
])('after %s, the status and the turns follow the conversation', async (_, records, status, taken) => {
  const session = await sessionOf(HEADER, ...records);
  expect([session.status, session.turns.map(({ rolled_back }) => rolled_back)]).toEqual([status, taken]);
});

test('a compaction is counted, and a message that changes is shown once in each form', async () => {
  const changed = { ...WORK, content: 'I look again', thoughts: [{ description: 'hm' }] };
  const records = [HEADER, PROMPT, ANSWER, WORK, changed, changed, list(message('m8', 'user', 'Summary'))];
  const session = await sessionOf(...records);
  expect(session).toMatchObject({
    compactions: 1,
    outcome: 'I look again',
    outcome_line: 5,
    total_tokens: 12,
  });
  expect(session.calls).toEqual([expect.objectContaining({ line: 4, status: 'ok', duration_ms: 57_000 })]);
  const { stdout } = await runHere(['read', logOf(...records)]);
  expect(stdout.match(/I look$/gm)).toHaveLength(1);
  expect(stdout.match(/I look again$/gm)).toHaveLength(1);
});

test('texts that are not from the user are not prompts, and remarks of the program are in the story', async () => {
  const { turns, title } = await sessionOf(
    HEADER,
    ...['/help', '?', '<session_context>a', '<hook_context>b'].map((text, at) =>
      message(`m${at}`, 'user', text),
    ),
    message('m5', 'info', ''),
    message('m6', 'warning', 'almost full'),
    { $set: { summary: 'About birds' } },
  );
  expect([turns, title]).toEqual([[], 'About birds']);
});

test('members that are missing are reported, and the rest of the session is read', async () => {
  const bare = { id: 'm2', timestamp: ANSWER.timestamp, type: 'gemini', content: 'Hm', tokens: { input: 3 } };
  const records = [
    HEADER,
    PROMPT,
    { ...bare, toolCalls: [{ status: 'success' }, { ...call('c1'), result: [{}] }] },
    list({ content: 'no id' }, PROMPT, bare),
    { id: 'm4', content: 'no type' },
  ];
  expect(await findingsIn(...records)).toEqual([
    'error event/missing-field 5',
    'error event/missing-field 5',
  ]);
  const session = await sessionOf(...records);
  expect(session.calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual(['tool open', 'read_file ok']);
  expect(session.total_tokens).toBe(3);
});

test('tail shows a message in each of its forms', async () => {
  const { stdout, code } = await runHere(['tail', logOf(HEADER, PROMPT, ANSWER, WORK), '-n', '2']);
  expect([code, stdout.match(/I look|read_file/g)]).toEqual([0, ['I look', 'read_file']]);
});

const chats = (files: Readonly<Record<string, readonly object[]>>): string => {
  const home = tempDir();
  for (const [name, records] of Object.entries(files)) {
    const path = join(home, '.gemini/tmp/garden/chats', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  return home;
};
const ID = '5e551011-0000-4000-8000-000000000000';
const HEAD = { ...HEADER, sessionId: ID };

test('a session that was copied from a document is listed once, and the document is named', async () => {
  const home = chats({
    'session-2026-11-23T09-30-5e551011.json': [{ ...HEAD, messages: [PROMPT, ANSWER] }],
    'session-2026-11-23T09-30-5e551011.jsonl': [HEAD, PROMPT, ANSWER],
  });
  const { stdout, stderr } = await runHere(['list', '-j'], { cwd: tempDir(), home });
  const rows: { path: string }[] = JSON.parse(stdout);
  expect(rows.map(({ path }) => path)).toEqual([expect.stringMatching(/jsonl$/)]);
  expect(stderr).toContain(
    '5e551011.json (an older copy: its program loads session-2026-11-23T09-30-5e551011.jsonl)',
  );
  const verified = await runHere(['verify', '--dialect', 'gemini'], { cwd: tempDir(), home });
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('1 file not verified')]);
  const older = join(home, '.gemini/tmp/garden/chats/session-2026-11-23T09-30-5e551011.json');
  expect((await runHere(['verify', older])).stdout).toMatch(/^ok/);
});

test('a log without a conversation is reported if another one is of the same session', async () => {
  const home = chats({
    'session-2026-11-23T09-30-5e551011.jsonl': [HEAD, PROMPT, ANSWER],
    'session-2026-11-24T10-00-5e551011.jsonl': [HEAD, list()],
    'session-2026-11-24T10-00-00000000.jsonl': [{ ...HEAD, sessionId: '00000000-1' }],
  });
  const { stdout } = await runHere(['verify', '--dialect', 'gemini', '-j'], { cwd: tempDir(), home });
  const { episodes }: { episodes: { path: string; findings: Finding[] }[] } = JSON.parse(stdout);
  expect(episodes.flatMap(({ findings }) => findings)).toMatchObject([
    { code: 'session/orphan-file', severity: 'info', file: 'session-2026-11-24T10-00-5e551011.jsonl' },
  ]);
});

test('the session of a subagent is part of that of its agent', async () => {
  const home = chats({
    'session-2026-11-23T09-30-5e551011.jsonl': [
      HEAD,
      PROMPT,
      { ...WORK, toolCalls: [{ ...call('c1'), name: 'helper', agentId: 'helper-1' }] },
    ],
    [`${ID}/helper-1.jsonl`]: [
      { ...HEAD, sessionId: 'helper-1', kind: 'subagent' },
      { ...PROMPT, id: 'm7' },
      { ...ANSWER, id: 'm8' },
    ],
  });
  const world = { cwd: tempDir(), home };
  const rows: { episode: string }[] = JSON.parse((await runHere(['list', '-j'], world)).stdout);
  expect(rows.map(({ episode }) => episode)).toEqual(['5e551011']);
  expect(JSON.parse((await runHere(['show', '5e551011', '-j'], world)).stdout)).toMatchObject({
    subagents: { logs: 1, tokens: { input: 10, output: 2 } },
  });
  const { stdout } = await runHere(['project', '5e551011', '-j'], world);
  expect((JSON.parse(stdout) as SessionDocument).agents).toMatchObject([{ id: 'helper-1', name: 'helper' }]);
});
