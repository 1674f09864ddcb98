import { truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../src/base/json/parse.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { NoesisProjector } from '../../src/dialects/noesis/state/projection.ts';
import { parseStopAt, projectLog } from '../../src/findings/projection/project-log.ts';
import type { Projector } from '../../src/findings/projection/projector.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import type { LogRecord } from '../../src/log/record.ts';
import { projectorOf } from '../dialects/noesis/events.ts';
import { simulateEpisode } from '../support/simulator/episode.ts';
import { tempFile } from '../support/temp.ts';

const { files } = simulateEpisode({ seed: 51, acts: 4, plans: 2, resumed: 'in-process', governed: 'allow' });
const text = Buffer.from(files.get('events.jsonl') ?? '').toString();
const lines = text.split('\n').slice(0, -1);
const events = lines.map((line) => parseExactJson(line) as JsonObject);

async function projectAt(content: string, at?: string) {
  const projector = new NoesisProjector();
  const stopAt = at === undefined ? undefined : parseStopAt(at);
  const { corruption } = await projectLog(tempFile(content), projector, noesis, stopAt);
  return { corruption, projection: projector.result() };
}

test('a log that is cut while it is read is not projected', async () => {
  const path = tempFile(text.repeat(200));
  const projector = new NoesisProjector();
  let cut = false;
  const add = (record: LogRecord) => {
    if (!cut) truncateSync(path, 1000);
    cut = true;
    projector.add(record);
  };
  const cutting: Projector = {
    add,
    result: () => projector.result(),
    compare: (stored) => projector.compare(stored),
  };
  await expect(projectLog(path, cutting, noesis)).rejects.toMatchObject({ code: 'log-changed' });
});

describe('where to stop', () => {
  test('a number is a line, anything else an id', () => {
    expect(parseStopAt('12')).toEqual({ kind: 'line', line: 12 });
    for (const id of ['act-1', '', '-1', '1.5', '1'.repeat(16), 'é'])
      expect(parseStopAt(id)).toEqual({ kind: 'id', id });
  });
});

describe('time travel', () => {
  test('gives after each event the state of a log that ends there', async () => {
    for (const [index, event] of events.entries()) {
      const wanted = projectorOf(events.slice(0, index + 1)).result();
      const byLine = await projectAt(text, String(index + 1));
      expect(byLine.corruption).toBeUndefined();
      expect(byLine.projection.value).toEqual(wanted.value);
      expect(byLine.projection.underivable).toEqual(wanted.underivable);
      expect((await projectAt(text, String(event['id']))).projection.value).toEqual(wanted.value);
    }
  });

  test('counts physical lines, also in evidence', async () => {
    const spaced = `\n${lines.join('\n\n')}\n`;
    const { projection } = await projectAt(spaced, '2');
    expect(projection.value).toEqual(projectorOf(events.slice(0, 1)).result().value);
    const { projection: whole } = await projectAt(spaced);
    expect(whole.value).toEqual(projectorOf(events).result().value);
    const planned = events.findLastIndex(({ phase }) => phase === 'plan');
    expect(whole.evidence.of('plan.source')).toEqual({
      eventId: events[planned]?.['id'],
      line: 2 * planned + 2,
    });
  });

  test('fails for a line without an event', async () => {
    await expect(projectAt(text, 'nobody')).rejects.toMatchObject({
      code: 'event-missing',
      message: 'no event nobody in this log',
    });
    await expect(projectAt(`\n${text}`, '1')).rejects.toMatchObject({
      code: 'event-missing',
      message: 'no event on line 1 in this log',
    });
    await expect(projectAt('', '1')).rejects.toMatchObject({ code: 'event-missing' });
  });

  test('fails closed: a corrupt line after the place counts too', async () => {
    const corrupt = [...lines.slice(0, 5), '{"torn', ...lines.slice(5), 'rubbish'].join('\n');
    expect((await projectAt(corrupt, '2')).corruption).toMatchObject({ line: 6 });
    expect((await projectAt(corrupt, 'nobody')).corruption).toMatchObject({ line: 6 });
    const { corruption, projection } = await projectAt(corrupt);
    expect(corruption).toMatchObject({ line: 6 });
    expect(projection.value).toEqual(projectorOf(events.slice(0, 5)).result().value);
  });
});

test('a source without a fast path gives the same result', async () => {
  const plain = { name: noesis.name, view: noesis.view, form: AS_STORED };
  const [slow, quick] = [new NoesisProjector(), new NoesisProjector()];
  await projectLog(tempFile(text), slow, plain);
  await projectLog(tempFile(text), quick, noesis);
  expect(slow.result().value).toEqual(quick.result().value);
});
