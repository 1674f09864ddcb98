import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const MESSAGES = ['Look "there" \\', 'at {this', 'and ]that'].map((content, at) => ({
  id: `m${at}`,
  timestamp: `2026-11-23T09:30:0${at}.000Z`,
  type: 'user',
  content,
}));
const SESSION = { sessionId: 's', projectHash: 'f', startTime: '2026-11-23T09:30:00.000Z' };
const TEXT = JSON.stringify({ ...SESSION, messages: MESSAGES, lastUpdated: 'x' }, null, 2);

async function verify(text: string): Promise<[events: number, findings: string[], stderr: string]> {
  const log = join(tempDir(), 'session.json');
  writeFileSync(log, text);
  const { stdout, stderr } = await runHere(['verify', log, '-j']);
  if (stdout === '') return [0, [], stderr];
  const report: { episodes: [{ events: number; findings: Finding[] }] } = JSON.parse(stdout);
  const [{ events, findings }] = report.episodes;
  return [events, findings.map(({ code, line }) => `${code} ${line}`), stderr];
}

test('an intact document has no findings', async () => {
  expect(await verify(TEXT)).toMatchObject([4, [], expect.anything()]);
});

test.each<[string, string, number, string]>([
  ['within the first message', TEXT.slice(0, TEXT.indexOf('there')), 1, 'log/truncated 10'],
  ['within the second message', TEXT.slice(0, TEXT.indexOf('at {this') + 5), 2, 'log/truncated 16'],
  ['between two messages', TEXT.slice(0, TEXT.indexOf('"m2"') - 15).trimEnd(), 3, 'log/truncated 17'],
  ['after the messages', TEXT.slice(0, TEXT.indexOf('"lastUpdated"') + 4), 4, 'log/truncated 25'],
  ['at a wrong word', TEXT.replace('"m2"', 'True'), 3, 'log/invalid-json 19'],
])(
  'a document that is damaged %s has the whole messages and one finding',
  async (_, text, events, finding) => {
    const [counted, findings, stderr] = await verify(text);
    expect([counted, findings]).toEqual([events, [finding]]);
    // Each record has the number of the line where it begins.
    expect(stderr).toBe('');
  },
);

test.each<[string, string]>([
  ['of a program that is not known', TEXT.replace('projectHash', 'hash').slice(0, -20)],
  ['with another list', TEXT.replace('messages', 'others').slice(0, -20)],
  ['with a key twice before its end', TEXT.replace('"m0"', '"m0", "id": "m9"').slice(0, -20)],
  ['with a key twice', TEXT.replace('"lastUpdated"', '"sessionId"')],
])('a damaged document %s is not a log', async (_, text) => {
  expect((await verify(text))[2]).toContain('does not look like an event log');
});
