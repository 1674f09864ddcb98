import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { coordinator, sessionOf } from '../../../src/dialects/coordinator/index.ts';
import {
  compatibleEventSchema,
  detailsSchemas,
  eventSchema,
} from '../../../src/dialects/coordinator/schema/event.ts';
import { isOfOlderRevision, upcastEvent } from '../../../src/dialects/coordinator/upcasters.ts';
import { EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { findEpisodes } from '../../../src/find/find.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { readLog } from '../../../src/log/read.ts';
import { dispatch, happened, log, start } from './logs.ts';

const CATALOGUE = join(import.meta.dirname, '../../samples/coordinator/event-catalogue.json');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'noesis-coordinator-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function place(path: string, text = ''): string {
  const full = join(folder, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, text);
  return full;
}

describe('detection', () => {
  const detect = (records: JsonObject[], fileName = 'x.jsonl') => coordinator.detect({ fileName, records });

  test('recognises a log by its records', () => {
    expect(detect(log([start]))).toBe(true);
    expect(detect([{ timestamp: 't', event_type: 'session_start', session_id: 's', plan_file: 'p' }])).toBe(
      true,
    );
    expect(detect([{ timestamp: 't', event_type: 'run.started', phase: 'runtime', payload: {} }])).toBe(
      false,
    );
    expect(detect([{ run_id: 'r', turn: 1, kind: 'a.b', payload: {} }])).toBe(false);
    expect(detect([{ streamId: 's', type: 'task.assigned', timestamp: 't', data: {} }])).toBe(false);
    expect(detect([])).toBe(false);
  });

  test('recognises a log by its name if the records are unusual', () => {
    const name = 'event-log.jsonl';
    expect(detect([], name)).toBe(true);
    expect(detect([{ timestamp: 't', event_type: 'x' }], name)).toBe(true);
    expect(detect([{ timestamp: 't', event: 'x' }], name)).toBe(true);
    expect(detect([{ timestamp: 't', event_type: 'x', phase: 'plan' }], name)).toBe(false);
    expect(detect([{ timestamp: 't', event: 'x' }])).toBe(false);
  });

  test('finds the log and its state among other files', () => {
    const names = [
      'event-log.jsonl',
      'state.json',
      'event-log.jsonl.corrupted.20260117120000',
      'events.jsonl',
    ];
    expect(coordinator.logFiles(names)).toEqual(['event-log.jsonl']);
    expect(coordinator.stateFile('/p/event-log.jsonl')).toBe('/p/state.json');
  });

  test('finds the logs of all plans of a project', async () => {
    const logs = [
      place('.claude/bonfire/a-plan/event-log.jsonl'),
      place('.claude/bonfire/b-plan/event-log.jsonl'),
      place('.claude/surrogate_activities/old/event-log.jsonl'),
    ];
    place('.claude/bonfire/a-plan/event-log.jsonl.corrupted.20260117120000');
    const found = (await findEpisodes(folder)).flatMap(({ log }) => log ?? []);
    expect(found).toEqual(logs);
  });
});

test('reads records in its own terms', async () => {
  const nested = {
    event_type: 'critic_fail',
    timestamp: 't',
    session_id: 's1',
    details: { agent_id: 'c', task_id: '1', issues_found: ['a', 'b'] },
  };
  const path = place(
    'view/event-log.jsonl',
    [...log([dispatch('1', 'd')]), nested].map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  const seen: unknown[] = [];
  const { view, columns, eventTime } = coordinator;
  await readLog(path, AS_STORED, {
    record(record) {
      seen.push([
        view.type(record),
        view.agent(record),
        view.time(record),
        view.id(record),
        view.phase?.(record),
        view.cause?.(record),
        sessionOf(record),
      ]);
      seen.push([...columns.map(({ cell }) => cell(record.value)), eventTime(record.value)]);
    },
    corrupt: () => expect.unreachable(),
  });
  expect(seen).toEqual([
    ['developer_dispatched', 'd', '2026-01-17T09:00:00Z', undefined, undefined, undefined, 's1'],
    ['developer_dispatched', '1', 'd', '', '2026-01-17T09:00:00Z'],
    ['critic_fail', 'c', 't', undefined, undefined, undefined, 's1'],
    ['critic_fail', '1', 'c', 'issues_found=a, b', 't'],
  ]);
  expect(coordinator.eventTime({ timestamp: 1768640400 })).toBeUndefined();
  expect((await coordinator.projector()).result().value).toMatchObject({ tasks: {} });
  expect(
    await coordinator.verify({ name: 'x', log: path, dir: undefined }, DEFAULT_VERIFY_OPTIONS),
  ).toMatchObject({ events: 2 });
});

describe('schemas', () => {
  test('know every type and field of the documents', () => {
    const rows = JSON.parse(readFileSync(CATALOGUE, 'utf8')) as {
      event_type: string;
      details_seed: string[] | null;
      fields_schema_doc: string[] | null;
    }[];
    expect([...EVENT_TYPES.keys()].sort()).toEqual(rows.map(({ event_type: type }) => type).sort());
    for (const { event_type: type, details_seed: seed, fields_schema_doc: other } of rows) {
      const { fields, otherFields } = EVENT_TYPES.get(type) ?? { fields: [], otherFields: [] };
      expect([...fields].sort(), type).toEqual([...(seed ?? other ?? [])].sort());
      expect([...otherFields].sort(), type).toEqual([...(other ?? [])].sort());
    }
  });

  test('of events refuse the older form if they are strict, and accept it if they are compatible', () => {
    const [event] = log([start]);
    expect(eventSchema.safeParse(event).success).toBe(true);
    const old = { timestamp: '2026-01-17', event_type: 'x', agent_id: null };
    expect(eventSchema.safeParse(old).success).toBe(false);
    expect(compatibleEventSchema.safeParse(old).success).toBe(true);
    expect(eventSchema.safeParse({ ...event, timestamp: 'noon' }).success).toBe(false);
    expect(compatibleEventSchema.safeParse({ ...event, event_type: '' }).success).toBe(false);
  });

  test('of details know the types of fields, which are expected and not required', () => {
    const schema = detailsSchemas.get('compaction_complete');
    expect(schema?.safeParse({ compaction_number: 1, full_reload: true, more: 1 }).success).toBe(true);
    expect(schema?.safeParse({ compaction_number: 1, full_reload: 'yes' }).success).toBe(false);
    expect(schema?.safeParse({ full_reload: true }).success).toBe(true);
    expect(detailsSchemas.get('health_audit_pass')?.safeParse({}).success).toBe(true);
  });
});

describe('older revisions', () => {
  test.each<[string, JsonObject, string]>([
    ['developer_complete', {}, 'developer_ready_for_review'],
    ['developer_ready_for_audit', {}, 'developer_ready_for_review'],
    ['auditor_pass', {}, 'task_complete'],
    ['session_resume', { resume_count: 1 }, 'session_resumed'],
    ['session_start', { resumed_from: 'state.json' }, 'session_resumed'],
    ['session_start', { resumed_from: null }, 'session_start'],
    ['supporting_agent_created', {}, 'expert_created'],
    ['supporting_agent_complete', {}, 'expert_complete'],
    ['critic_pass', {}, 'critic_pass'],
  ])('%s %j is %s now', (type, details, expected) => {
    const stored = Object.freeze(happened(type, details));
    const now = upcastEvent(stored);
    expect(now['event_type']).toBe(expected);
    expect(now['details']).toMatchObject(details);
    if (type !== expected) expect(isOfOlderRevision(stored)).toBe(true);
    expect(upcastEvent(now)).toEqual(now);
  });
});
