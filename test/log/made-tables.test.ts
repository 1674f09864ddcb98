import { describe, expect, test } from 'vitest';
import { COMMON } from '../../scripts/bundling.mjs';
import { LAYOUT as coordinator } from '../../src/dialects/coordinator/rows.ts';
import { LAYOUT as exarchos } from '../../src/dialects/exarchos/rows.ts';
import { LAYOUT as fishbowl } from '../../src/dialects/fishbowl/rows.ts';
import { LAYOUT as noesis } from '../../src/dialects/noesis/rows.ts';
import { tableAddress } from '../../src/log/accelerator/module.ts';
import { unpackTable } from '../../src/log/accelerator/packed-table.ts';
import { tableOf } from '../../src/log/accelerator/program.ts';
import { layoutOf } from '../../src/log/row-layout.ts';

const address = tableAddress();

/** What the build puts in place. */
const built = (name: string): string =>
  JSON.parse(COMMON.define[`NOESIS_TABLE_${name.toUpperCase()}`] ?? '""') as string;

describe.each(Object.entries({ coordinator, exarchos, fishbowl, noesis }))(
  'the table of %s',
  (name, layout) => {
    test('that the build made is the one that the schemas make now', () => {
      const made = unpackTable(built(name), address);
      const now = tableOf(layout, address);
      expect(made?.sets).toEqual(now.sets);
      expect(Buffer.from(made?.bytes ?? []).equals(now.bytes)).toBe(true);
    });

    test('is of no use at another address', () => {
      expect(unpackTable(built(name), address + 8)).toBeUndefined();
    });
  },
);

test('a layout has no table where nothing was built, or where the build knows nothing of it', () => {
  expect(noesis.made).toBeUndefined();
  expect(layoutOf('type', { id: 'id' }).made).toBeUndefined();
});
