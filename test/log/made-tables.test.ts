import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { COMMON } from '../../scripts/bundling.mjs';
import { LAYOUT as coordinator } from '../../src/dialects/coordinator/rows.ts';
import { LAYOUT as exarchos } from '../../src/dialects/exarchos/rows.ts';
import { LAYOUT as fishbowl } from '../../src/dialects/fishbowl/rows.ts';
import { LAYOUT as noesis } from '../../src/dialects/noesis/event/rows.ts';
import { LAYOUT as claude } from '../../src/dialects/sessions/claude-code/rows.ts';
import { LAYOUT as codex } from '../../src/dialects/sessions/codex/rows.ts';
import { LAYOUT as copilot } from '../../src/dialects/sessions/copilot/rows.ts';
import { tableAddress } from '../../src/log/accelerator/module.ts';
import { unpackTable } from '../../src/log/accelerator/packed-table.ts';
import { tableOf } from '../../src/log/accelerator/program.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { RowSource } from '../../src/log/row.ts';
import { layoutOf, type RowLayout } from '../../src/log/row-layout.ts';

const LOG = 'test/samples/exarchos/demo-feature.events.jsonl';
const address = tableAddress();

afterEach(() => useAccelerator('always'));

/** The tables of the build. */
const built = (name: string): string =>
  JSON.parse(COMMON.define[`NOESIS_TABLE_${name.toUpperCase()}`] ?? '""') as string;

describe.each(Object.entries({ claude, codex, copilot, coordinator, exarchos, fishbowl, noesis }))(
  'the table of %s',
  (name, layout) => {
    test('of the build equals the one that the schemas give now', () => {
      const made = unpackTable(built(name), address);
      const now = tableOf(layout, address);
      expect(made?.sets).toEqual(now.sets);
      expect(Buffer.from(made?.bytes ?? []).equals(now.bytes)).toBe(true);
    });

    test('cannot be used at another address', () => {
      expect(unpackTable(built(name), address + 8)).toBeUndefined();
    });
  },
);

test('a layout has no table if nothing was built, or if the build does not know it', () => {
  expect(noesis.made).toBeUndefined();
  expect(layoutOf('type', { id: 'id' }).made).toBeUndefined();
});

test('a log is read with the built table if there is one', () => {
  useAccelerator('always');
  const accepted = (layout: RowLayout): boolean[] => {
    const source = RowSource.open(LogForm.stored(layout));
    const found: boolean[] = [];
    const parser = new LogParser(source, {
      row: ({ isAccepted }) => found.push(isAccepted),
      corrupt: ({ message }) => expect.fail(message),
    });
    parser.filled(readFileSync(LOG).copy(parser.room()));
    parser.end();
    expect(source.accelerator).toBeDefined();
    source.close();
    return found;
  };
  const found = accepted({ ...exarchos, made: built('exarchos') });
  expect(found).toContain(true);
  expect(found).toEqual(accepted(exarchos));
});
