import { afterEach, expect, test, vi } from 'vitest';
import type * as module from '../../src/log/accelerator/module.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { RowSource } from '../../src/log/row.ts';

/** The keys with which the ids of each log were hashed. */
const keys: string[] = [];

vi.mock('../../src/log/accelerator/module.ts', async (original) => {
  const real = await original<typeof module>();
  const listened = new WeakSet<module.Loaded>();
  const borrow: typeof module.borrow = (layout) => {
    const loaded = real.borrow(layout);
    // One that was given back comes again.
    if (loaded === undefined || listened.has(loaded)) return loaded;
    const begin: module.AcceleratorModule['begin'] = (programSize, rowsSize, mostRows, ...key) => {
      keys.push(key.join(' '));
      loaded.module.begin(programSize, rowsSize, mostRows, ...key);
    };
    const heard = { ...loaded, module: { ...loaded.module, begin } };
    listened.add(heard);
    return heard;
  };
  return { ...real, borrow };
});

afterEach(() => useAccelerator('always'));

test('the ids of each log have a separate key', () => {
  useAccelerator('always');
  for (let log = 0; log < 600; log += 1) RowSource.open(AS_STORED).close();
  expect(keys).toHaveLength(600);
  expect(new Set(keys).size).toBe(600);
});
