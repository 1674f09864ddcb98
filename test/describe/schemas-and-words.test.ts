import { expect, test } from 'vitest';
import { messageOf, reasonOf } from '../../src/base/errors.ts';
import { fishbowl } from '../../src/dialects/fishbowl/index.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import { accountOfEvent } from '../../src/read/describe/event-of-log.ts';
import { SpansOfLog } from '../../src/read/describe/spans.ts';
import { wordsOfLog } from '../../src/read/describe/words-of-log.ts';
import { jsonSchema } from '../../src/read/outputs/json-schema.ts';
import { tempFile } from '../support/temp.ts';

test('the schema of a report is the same in every dialect, also in one without schemas', async () => {
  const generic = dialectNamed('generic') ?? noesis;
  const report = await jsonSchema('report', generic);
  expect(report['title']).toBe('The report of noesis verify -j');
  expect(await jsonSchema('report', noesis)).toEqual(report);
  await expect(jsonSchema('toString', generic)).rejects.toMatchObject({
    message: 'there is no schema toString in this dialect (generic)',
    hint: expect.stringContaining('known schemas: report, chain, list, show'),
  });
});

test('the words of a log are those of its records, despite damage between them', () => {
  const record = (id: string, run: string) =>
    `{"id":"${id}","run_id":"${run}","turn":0,"kind":"note","payload":{}}\n`;
  const { ids, types, own } = wordsOfLog(
    tempFile(`${record('a', 'r1')}{"torn\n${record('b', 'r2')}`),
    fishbowl,
  );
  expect([[...ids], [...types], [...(own.get('run') ?? [])]]).toEqual([['a', 'b'], ['note'], ['r1', 'r2']]);
});

test('an event without a line has nothing to show', async () => {
  const none = async function* () {};
  await expect(
    accountOfEvent(
      { chain: none(), descendants: none(), startedAt: undefined, spans: await SpansOfLog.open(noesis) },
      noesis,
    ),
  ).rejects.toMatchObject({ code: 'event-missing' });
});

test('an error is shown by its message, and one of the file system by the meaning of its code', () => {
  expect(messageOf(new Error('why'))).toBe('why');
  expect(messageOf('why')).toBe('why');
  expect(reasonOf(Object.assign(new Error('x'), { code: 'EACCES' }))).toBe('permission denied');
  expect(reasonOf(Object.assign(new Error('x'), { code: 'EODD' }))).toBe('EODD');
  expect(reasonOf(new Error('why'))).toBe('Error: why');
});
