import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/dialects/dialect.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import type { Projector } from '../../src/findings/projection/projector.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog } from '../../src/log/read.ts';
import { LINE_DIALECTS, sampleLogs } from './sessions.ts';

// A page asks for the state at each event that a reader looks at, and goes on from there.

/** Often enough that each turn and call of a sample is asked about before it ends. */
const MOST_RECORDS = 400;

async function projectorOf(name: string): Promise<Projector> {
  const projector = await dialectNamed(name as DialectName)?.projector?.();
  if (projector === undefined) throw new Error(`${name} has no projector`);
  return projector;
}

describe.each(LINE_DIALECTS)('a session of %s', (name) => {
  const logs = sampleLogs(name).filter((log) => log.endsWith('.jsonl'));

  test.each(logs.map((log) => [basename(log), log]))(
    'does not depend on how often it was asked for: %s',
    async (_, log) => {
      const [once, often] = [await projectorOf(name), await projectorOf(name)];
      let count = 0;
      await readLog(log, AS_STORED, {
        record: (record) => {
          once.add(record);
          often.add(record);
          count += 1;
          if (count <= MOST_RECORDS) often.result();
        },
      });
      expect(count).toBeGreaterThan(0);
      expect(often.result()).toEqual(once.result());
    },
  );
});
