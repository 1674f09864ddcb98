import { afterEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { ALIASES, ENVELOPE, EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { useAccelerator } from '../../../src/log/accelerator/use.ts';
import { sampled } from '../../support/length.ts';
import { verifyEvents } from '../verify-events.ts';

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

/** Every way in which an event may hold a member elsewhere, twice, empty or not at all. */
function* variants(event: JsonObject): Generator<JsonObject> {
  yield event;
  const details = isObject(event['details']) ? event['details'] : {};
  const inside = (more: JsonObject) => ({ ...event, details: { ...details, ...more } });
  const values: readonly JsonValue[] = [null, '', 7, 'other', [], {}];
  for (const name of [...ENVELOPE, ...[...ALIASES.values()].flat(), 'else']) {
    yield without(event, name);
    for (const value of values) {
      yield { ...event, [name]: value };
      yield inside({ [name]: value });
      yield { ...without(event, name), details: { ...details, [name]: value } };
    }
  }
  for (const name of Object.keys(details)) {
    yield { ...event, details: without(details, name) };
    yield { ...event, details: without(details, name), [name]: details[name] ?? null };
    for (const value of values) yield inside({ [name]: value });
    for (const alias of ALIASES.get(name) ?? [])
      yield { ...event, details: { ...without(details, name), [alias]: 'other' } };
  }
}

function eventsOf(type: string, fields: readonly string[]): JsonObject[] {
  const details = Object.fromEntries(
    fields.filter((name) => name !== 'task_id' && name !== 'agent_id').map((name) => [name, 'x']),
  );
  const fine: JsonObject = {
    timestamp: '2026-03-01T08:00:00.701Z',
    sequence: 1,
    session_id: 's1',
    event_type: type,
    agent_id: fields.includes('agent_id') ? 'dev-1' : null,
    task_id: fields.includes('task_id') ? '1-1' : null,
    details,
  };
  return [...variants(fine)].map((event, index) =>
    'sequence' in event ? { ...event, sequence: index } : event,
  );
}

afterEach(() => useAccelerator('always'));

describe('columns', () => {
  test.each(sampled([...EVENT_TYPES], 25))(
    'of %s equal those of the parsed events',
    async (type, { fields }) => {
      const events = eventsOf(type, fields);
      const read = async () => {
        const { path: _, ...report } = await verifyEvents(verifyCoordinator, events);
        return report;
      };
      useAccelerator('never');
      const plain = await read();
      useAccelerator('always');
      expect(await read()).toEqual(plain);
      expect(plain.findings.length).toBeGreaterThan(0);
    },
  );
});
