import { afterEach, expect, test, vi } from 'vitest';
import { verifyEpisode } from '../../src/library/index.ts';

const LOG = 'test/samples/exarchos/demo-feature.events.jsonl';

afterEach(() => vi.unstubAllGlobals());

test('a log is read without the accelerator if WebAssembly cannot be compiled', async () => {
  const compile = vi.fn(function Module() {
    throw new Error('code generation is not allowed here');
  });
  const plain = await verifyEpisode(LOG);
  // A separate module, because the compiled accelerator is kept.
  vi.resetModules();
  const { useAccelerator } = await import('../../src/log/accelerator/use.ts');
  const fresh = await import('../../src/library/index.ts');
  vi.stubGlobal('WebAssembly', { ...WebAssembly, Module: compile });
  useAccelerator('always');
  const report = await fresh.verifyEpisode(LOG);
  expect(compile).toHaveBeenCalled();
  expect(report).toEqual(plain);
});
