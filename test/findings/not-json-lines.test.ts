import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type VerifyReport, verifyEpisode } from '../../src/library/index.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const indented = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const RECORD = { id: 'm1', type: 'user', content: 'hello', tools: [{ id: 't1' }, {}] };
const SESSION = {
  sessionId: 's',
  projectHash: 'p',
  startTime: 'now',
  messages: [RECORD, { ...RECORD, id: 'm2' }],
};
const LONG = { info: { id: 's' }, messages: Array.from({ length: 5000 }, () => RECORD) };

async function findingsIn(text: string | Uint8Array) {
  const dir = writeTree({ 'a b.jsonl': text });
  const { findings, events, verdict } = await verifyEpisode(join(dir, 'a b.jsonl'));
  return { events, verdict, findings: findings.filter(({ code }) => code.startsWith('log/')) };
}

describe('JSON documents over many lines are one finding', () => {
  test.each<[string, string, string, string]>([
    ['a session', indented(SESSION), '1 JSON document on several lines each, not JSON Lines', '.messages[]'],
    ['a long export', indented(LONG), '1 JSON document on several lines each, not JSON Lines', '.messages[]'],
    ['a list', indented([RECORD]), '1 JSON document on several lines each, not JSON Lines', '.[]'],
    [
      'lists of several names',
      indented({ a: [RECORD], b: [RECORD] }),
      '1 JSON document on several lines each, not JSON Lines',
      '.',
    ],
    [
      'an object without a list',
      indented({ any: 1 }),
      '1 JSON document on several lines each, not JSON Lines',
      '.',
    ],
    [
      'records',
      `\n${indented(RECORD).repeat(3)}`,
      '3 JSON documents on several lines each, not JSON Lines',
      '.',
    ],
    [
      'with CRLF',
      indented(RECORD).repeat(2).replaceAll('\n', '\r\n'),
      '2 JSON documents on several lines each, not JSON Lines',
      '.',
    ],
    [
      'without a newline at the end',
      indented(SESSION).trimEnd(),
      '1 JSON document on several lines each, not JSON Lines',
      '.messages[]',
    ],
    [
      'a torn one at the end',
      `${indented(RECORD).repeat(2)}{\n  "id": "m\n`,
      '2 JSON documents on several lines each, not JSON Lines; the file ends inside another',
      '.',
    ],
  ])('%s', async (_, text, message, filter) => {
    const { findings, events, verdict } = await findingsIn(text);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      code: 'log/not-json-lines',
      severity: 'error',
      line: 1,
      message,
      hint: `run jq -c '${filter}' 'a b.jsonl' > records.jsonl`,
    });
    expect([events, verdict]).toEqual([0, 'fail']);
  });
});

const LINES = `${JSON.stringify({ phase: 'start' })}\n`.repeat(50);
const WIDE = Buffer.from(`\ufeff${LINES}`, 'utf16le');

test.each<[string, Uint8Array, string]>([
  ['written in UTF-16', WIDE, "iconv -f UTF-16 -t UTF-8 'events.jsonl' > records.jsonl"],
  [
    'written in UTF-16',
    Buffer.from(WIDE).swap16(),
    "iconv -f UTF-16 -t UTF-8 'events.jsonl' > records.jsonl",
  ],
  ['compressed with gzip', gzipSync(LINES), "gzip -dc 'events.jsonl' > records.jsonl"],
])('the log of an episode that is %s is one finding', async (what, bytes, hint) => {
  const { dir } = episodeIn(tempDir(), GOOD);
  writeFileSync(join(dir, 'events.jsonl'), bytes);
  const { findings, events } = await verifyEpisode(dir);
  const message = `${what}: a log has one JSON object per line, in UTF-8`;
  expect([events, findings.filter(({ code }) => code.startsWith('log/'))]).toEqual([
    0,
    [{ code: 'log/not-json-lines', severity: 'error', file: 'events.jsonl', line: 1, message, hint }],
  ]);
});

// Without a value that looks like a record on a separate line.
const PLAIN = { id: 'm1', type: 'user', content: 'hello' };

describe('a damaged log is not one of them', () => {
  const line = `${JSON.stringify(PLAIN)}\n`;
  test.each<[string, string | Uint8Array, string]>([
    ['one record over several lines', indented(PLAIN) + line.repeat(3), 'log/split-record'],
    ['one in the middle', line + indented(PLAIN), 'log/split-record'],
    ['a raw newline in a text', line.replace('hello', 'hel\nlo'), 'log/split-record'],
    [
      'one over several lines, then a torn line',
      `${indented(PLAIN)}{"id":"m\n${line.repeat(3)}`,
      'log/split-record',
    ],
    ['a torn first line', `{"id":"m\n${line.repeat(3)}`, 'log/invalid-json'],
    ['a torn first line of a long log', `{"id":"m\n${line.repeat(3000)}`, 'log/invalid-json'],
    ['a document that is torn', indented(SESSION).slice(0, -9), 'log/invalid-json'],
    ['a long document that is torn', indented(LONG).slice(0, -9), 'log/invalid-json'],
    ['a long first line', `{"id":"${'m'.repeat(70_000)}\n${line}`, 'log/invalid-json'],
    ['text', 'hello\n{\n}\n', 'log/invalid-json'],
    ['a newline alone in a line that is too short', '{\n', 'log/invalid-json'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(indented(PLAIN)), Buffer.of(0xff, 0x0a)]),
      'log/split-record',
    ],
  ])('%s', async (_, text, code) => {
    const codes = (await findingsIn(text)).findings.map((finding) => finding.code);
    expect(codes).toContain(code);
    expect(codes).not.toContain('log/not-json-lines');
  });
});

test('a document that a program writes is read, whatever its name', async () => {
  const steps = [1, 2].map((id) => ({
    step_id: id,
    timestamp: `2026-03-02T09:00:0${id}Z`,
    source: 'agent',
    message: 'on',
  }));
  const root = { schema_version: 'ATIF-v1.4', session_id: 's', agent: { name: 'a', version: '1' } };
  const cwd = writeTree({ 'run.jsonl': indented({ ...root, steps }) });
  const { stdout, code } = await runHere(['verify', 'run.jsonl', '-j'], { cwd });
  const [episode] = (JSON.parse(stdout) as VerifyReport).episodes;
  expect([code, episode?.events]).toEqual([0, 3]);
  expect((await runHere(['events', 'run.jsonl', '-j'], { cwd })).stdout.trim().split('\n')).toHaveLength(3);
});

test('the log of an episode that jq has indented is one finding next to those of the seal', async () => {
  const cwd = tempDir();
  const { id, dir } = episodeIn(cwd, GOOD);
  const log = join(dir, 'events.jsonl');
  writeFileSync(
    log,
    readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => indented(JSON.parse(line)))
      .join(''),
  );
  const { stdout } = await runHere(['verify', id, '-j'], { cwd });
  const [episode] = (JSON.parse(stdout) as VerifyReport).episodes;
  const errors = episode?.findings.filter(({ severity }) => severity === 'error').map((one) => one.code);
  expect(errors).toEqual(['order/after-seal', 'log/not-json-lines', 'manifest/hash-mismatch']);
});

test('every command that reads such a log says so, and shows no empty run', async () => {
  const cwd = writeTree({
    'x.events.jsonl': indented({ ...PLAIN, timestamp: '2026-03-02T09:00:00Z' }).repeat(3),
  });
  for (const args of [['events'], ['read'], ['show', '--changes'], ['tail'], ['tail', '-f']]) {
    const { code, stdout, stderr } = await runHere([...args, 'x.events.jsonl'], { cwd });
    expect([args, code, stdout, stderr.split('\n')[0]]).toEqual([
      args,
      1,
      '',
      expect.stringContaining('line 1 of x.events.jsonl is damaged: 3 JSON documents on several lines each'),
    ]);
  }
});
