import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { recordsOfDocument, recordsOfSample } from '../../src/dialects/kit/document-forms.ts';

const A = { step: 1 };
const B = { step: 2 };

test.each<[string, JsonValue, readonly JsonObject[] | undefined]>([
  ['a list of records', [A, B], [A, B]],
  ['an empty list', [], undefined],
  ['a list of other things', [A, 7], undefined],
  ['a number', 7, undefined],
  ['a trajectory of SWE-agent', { trajectory: [A, B], info: {} }, [A, B]],
  ['the same with its environment alone', { trajectory: [A], environment: 'e' }, [A]],
  ['a trajectory of nobody', { trajectory: [A, B] }, undefined],
  ['a trajectory without a step', { trajectory: [], info: {} }, undefined],
  [
    'a trajectory in the interchange format',
    { schema_version: 'ATIF-v1.4', steps: [A] },
    [{ schema_version: 'ATIF-v1.4' }, A],
  ],
  ['steps of another format', { schema_version: '1', steps: [A] }, undefined],
  ['steps of no format', { steps: [A] }, undefined],
  [
    'an evaluation of Inspect',
    { eval: {}, samples: [{ id: 'a', epoch: 2, events: [{ event: 'model' }] }, { messages: [B] }] },
    [
      { sample_id: 'a', epoch: 2, event_type: 'model', event: 'model' },
      { sample_id: null, epoch: null, ...B },
    ],
  ],
  ['an evaluation whose samples hold nothing', { eval: {}, samples: [{ id: 'a' }] }, undefined],
  ['an evaluation with a sample of another form', { eval: {}, samples: [{ events: [A] }, 7] }, undefined],
  ['an evaluation without a sample', { eval: {}, samples: [] }, undefined],
  ['samples of no evaluation', { samples: [{ events: [A] }] }, undefined],
  ['a record', { step: 1 }, undefined],
])('the records of a document: %s', (_, document, records) => {
  expect(recordsOfDocument(document)).toEqual(records);
});

test('a sample without events and messages has no records, and other values in their place make it no sample', () => {
  expect(recordsOfSample({ id: 1, events: [], messages: null })).toEqual([]);
  for (const value of [{ id: 1, messages: 'none' }, { id: 1, events: {} }, [], null])
    expect(recordsOfSample(value)).toBeUndefined();
});
