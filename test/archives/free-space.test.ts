import { readFileSync, type statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_MAX_UNPACKED, usualMaxUnpacked } from '../../src/base/archives/budget.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

/** The free bytes of every disk in these tests. */
let free = 0;
/** The folders that were asked about. */
let asked: unknown[] = [];

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const fake = (dir: unknown) => {
    asked.push(dir);
    return { bsize: 4096, bavail: Math.floor(free / 4096) };
  };
  return { ...real, statfsSync: fake as unknown as typeof statfsSync };
});

beforeEach(() => {
  asked = [];
});

const LOG = readFileSync(join(SAMPLES, 'exarchos/demo-feature.events.jsonl'));

/** A compressed log with its name, in a folder of its own. */
function packedLog(): { cwd: string; name: string } {
  const cwd = tempDir();
  const name = 'demo-feature.events.jsonl.gz';
  writeFileSync(join(cwd, name), gzipSync(LOG));
  return { cwd, name };
}

describe('half of the free space for temporary files is the usual limit of what is unpacked', () => {
  test.each([
    [8192, 4096],
    [200 * 1024 ** 3, DEFAULT_MAX_UNPACKED],
    [0, 0],
  ])('%d free bytes: %d', (bytes, limit) => {
    free = bytes;
    expect(usualMaxUnpacked('/tmp')).toBe(limit);
  });

  test('and 64 GiB if the free space is not known', () => {
    const unknown = () => {
      throw new Error('ENOSYS');
    };
    expect(usualMaxUnpacked('/tmp', unknown)).toBe(DEFAULT_MAX_UNPACKED);
  });

  test('verify reports a log that unpacks to more, unless the user raises the limit', async () => {
    const { cwd, name } = packedLog();
    const tmpDir = tempDir();
    free = LOG.length;
    const small = await runHere(['verify', name], { cwd, tmpDir });
    expect(small.code).toBe(1);
    expect(small.stdout).toContain('archive/too-large');
    expect(asked).toContain(tmpDir);
    expect((await runHere(['verify', name, '--max-unpacked', '1G'], { cwd, tmpDir })).code).toBe(0);
    free = LOG.length * 4;
    expect((await runHere(['verify', name], { cwd, tmpDir })).code).toBe(0);
  });

  test('other commands refuse it, also from standard input', async () => {
    const { cwd, name } = packedLog();
    free = LOG.length;
    for (const command of ['show', 'read', 'events', 'list']) {
      const { code, stderr } = await runHere([command, name], { cwd });
      expect([code, stderr]).not.toEqual([0, '']);
      expect(stderr).toContain('it unpacks to more than');
    }
    const input = readFileSync(join(cwd, name));
    expect((await runHere(['events', '-'], { cwd, input })).stderr).toContain('it unpacks to more than');
  });
});
