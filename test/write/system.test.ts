import { expect, test } from 'vitest';
import { systemProcesses } from '../../src/write/processes.ts';
import { realSystem } from '../../src/write/system.ts';

test('a process is alive if machine and start match; on another machine this is unknown', () => {
  const { self } = systemProcesses;
  expect(systemProcesses.isAlive(self)).toBe(true);
  expect(systemProcesses.isAlive({ host: self.host, pid: self.pid })).toBe(true);
  expect(systemProcesses.isAlive({ ...self, start: 'another' })).toBe(self.start === undefined);
  expect(systemProcesses.isAlive({ ...self, host: 'elsewhere' })).toBeUndefined();
  expect(systemProcesses.isAlive({ host: self.host, pid: 2 ** 30 })).toBe(false);
});

test('sleep ends when its signal is aborted, before it or in it', async () => {
  const signal = AbortSignal.abort();
  await realSystem.sleep(3_600_000, signal);
  const stop = new AbortController();
  const sleep = realSystem.sleep(3_600_000, stop.signal);
  stop.abort();
  await sleep;
  await realSystem.sleep(1, undefined);
  expect([signal.aborted, stop.signal.aborted]).toEqual([true, true]);
});
