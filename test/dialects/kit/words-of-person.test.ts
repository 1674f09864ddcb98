import { expect, test } from 'vitest';
import { titleOfPrompt, wordsOfPerson } from '../../../src/dialects/sessions/kit/words-of-person.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';

test.each([
  ['Fix the test', 'Fix the test'],
  ['<ide_opened_file>The user opened a.js</ide_opened_file>\nFix the test', 'Fix the test'],
  ['<system-reminder>\na\n</system-reminder>\n<user_info>b</user_info>Fix\nthe test', 'Fix\nthe test'],
  ['<state_snapshot>Goal: count. Next: nothing.</state_snapshot>', ''],
  ['<state_snapshot>Goal: cut of…', ''],
  ['<div>is not</div> centred', '<div>is not</div> centred'],
  ['a <system-reminder> in a text', 'a <system-reminder> in a text'],
  ['', ''],
])('the words of a person in %j are %j', (text, words) => {
  expect(wordsOfPerson(text)).toBe(words);
});

test('a prompt without words of a person is shown as it is', () => {
  expect(titleOfPrompt('<local_note>a</local_note>')).toBe('<local_note>a</local_note>');
  expect(titleOfPrompt('<local_note>a</local_note>\n\nFix it\nnow')).toBe('Fix it');
});

const TIME = '2026-09-01T09:00:0';
const claude = (uuid: number, content: string) => ({
  parentUuid: null,
  isSidechain: false,
  type: 'user',
  message: { role: 'user', content },
  uuid: `abc00000-0000-4000-8000-00000000000${uuid}`,
  timestamp: `${TIME}${uuid}.000Z`,
  cwd: '/home/usr/shop',
  sessionId: 'abc00005-0000-4000-8000-0000004c4b40',
  version: '2.1.237',
});
const pi = (id: number, content: string) => ({
  type: 'message',
  id: `0000000${id}`,
  parentId: id === 1 ? null : `0000000${id - 1}`,
  timestamp: `${TIME}${id}.000Z`,
  message: { role: 'user', content: [{ type: 'text', text: content }], timestamp: 1 },
});
const piHead = { type: 'session', version: 3, id: 'abc00005', timestamp: `${TIME}0.000Z`, cwd: '/home/usr' };

test.each([
  [
    'claude-code',
    [claude(1, '<pasted_note>x</pasted_note>'), claude(2, '<pasted_note>y</pasted_note>\nWater it')],
  ],
  ['pi', [piHead, pi(1, '<pasted_note>x</pasted_note>'), pi(2, '<pasted_note>y</pasted_note>\nWater it')]],
])('list, show and read name a session of %s by the first words of a person', async (dialect, records) => {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const log = `${writeTree({ 'abc00005-0000-4000-8000-0000004c4b40.jsonl': text })}/abc00005-0000-4000-8000-0000004c4b40.jsonl`;
  const listed = JSON.parse((await runHere(['list', log, '-j'])).stdout)[0];
  expect(listed).toMatchObject({ dialect, task: 'Water it' });
  expect((await runHere(['show', log])).stdout).toMatch(/^Task +Water it$/m);
  expect((await runHere(['read', log])).stdout).toMatch(/^Water it$/m);
});
