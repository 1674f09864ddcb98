import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.ts';
import type { FileSystem } from '../../src/files/port.ts';
import { lockOf } from '../../src/write/lock-file.ts';
import { fileError, MemoryFiles } from './support/memory-files.ts';
import { type Call, watchedFiles } from './support/watched-files.ts';
import { eventsIn, LOG, reason, START, worldOf, writerOf } from './support/writers.ts';

/** What is done in the place of a call; undefined: the call is made. */
type Fault = (call: Call, number: number) => NodeJS.ErrnoException | 'short' | undefined;

/** A file system that fails as it is told to; `calls` is how many were made. */
function failing(files: MemoryFiles, fault: Fault): { readonly port: FileSystem; calls: number } {
  const counter = { calls: 0 };
  const port = watchedFiles(files, async (call, make) => {
    counter.calls += 1;
    const wanted = fault(call, counter.calls);
    if (wanted instanceof Error) throw wanted;
    if (wanted === 'short' && call.bytes && call.bytes.length > 1) {
      // Half of it gets there: as much as there was room for.
      const file = await files.open(call.path, 'append');
      return (await file.write(call.bytes.subarray(0, call.bytes.length >> 1))) as Awaited<
        ReturnType<typeof make>
      >;
    }
    return make();
  });
  return Object.assign(counter, { port });
}

async function attempt(port: FileSystem): Promise<unknown> {
  try {
    return await writerOf(worldOf({ files: port })).append([reason('a'), reason('b')], { waitMs: 100 });
  } catch (error) {
    return error;
  }
}

/** Whoever comes next finds a log that can be gone on with. */
async function goesOn(files: MemoryFiles, expected: readonly string[]): Promise<void> {
  await writerOf(worldOf({ files, pid: 2, isAlive: ({ pid }) => pid === 2 })).append([reason('last')]);
  expect(eventsIn(files.peek(LOG)).map(({ id }) => id)).toEqual(['start-1', ...expected, 'last']);
  expect(files.peek(lockOf(LOG))).toBeUndefined();
}

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'EDQUOT'];

describe('a fault of the file system', () => {
  const healthy = failing(new MemoryFiles({ [LOG]: START }), () => undefined);

  test.each(CODES)(
    '%s at any one call: a clear error or none, and the log as before or with all of the batch',
    async (code) => {
      await attempt(healthy.port);
      const calls = healthy.calls;
      expect(calls).toBeGreaterThan(15);
      for (let at = 1; at <= calls; at += 1) {
        const files = new MemoryFiles({ [LOG]: START });
        let failed = '';
        const { port } = failing(files, ({ name }, number) => {
          if (number !== at) return undefined;
          failed = name;
          return fileError(code, name);
        });
        const outcome = await attempt(port);
        const after = eventsIn(files.peek(LOG)).map(({ id }) => id);
        if (outcome instanceof Error) {
          expect(outcome, failed).toBeInstanceOf(FileError);
          expect(outcome.message).toMatch(/cannot append to .*: the log is as it was/);
          expect(files.peek(LOG)?.toString(), `after ${code} at ${failed}`).toBe(START);
          await goesOn(files, []);
        } else {
          expect(after, `after ${code} at ${failed}`).toEqual(['start-1', 'a', 'b']);
          await goesOn(files, ['a', 'b']);
        }
      }
    },
  );

  test('EINTR at every call in turn, and at many in a row: the batch is written once', async () => {
    for (const times of [1, 5]) {
      for (let at = 1; at <= healthy.calls; at += 1) {
        const files = new MemoryFiles({ [LOG]: START });
        const { port } = failing(files, ({ name, changes }, number) =>
          changes && number >= at && number < at + times ? fileError('EINTR', name) : undefined,
        );
        await attempt(port);
        const ids = eventsIn(files.peek(LOG)).map(({ id }) => id);
        expect([['start-1'], ['start-1', 'a', 'b']]).toContainEqual(ids);
      }
    }
    const files = new MemoryFiles({ [LOG]: START });
    let interrupted = 0;
    const { port } = failing(files, ({ name, path }) =>
      path === LOG && (name === 'write' || name === 'sync') && interrupted++ < 3
        ? fileError('EINTR', name)
        : undefined,
    );
    expect(await attempt(port)).toMatchObject({ sequence: 3 });
  });

  test('short writes, wherever they happen: the rest is written behind', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    const { port } = failing(files, ({ name, path }) =>
      name === 'write' && path === LOG ? 'short' : undefined,
    );
    expect(await attempt(port)).toMatchObject({ sequence: 3 });
    await goesOn(files, ['a', 'b']);
  });

  test('a disk that is full after half of the batch: what got there is taken back', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    let writes = 0;
    const { port } = failing(files, ({ name, path }) => {
      if (name !== 'write' || path !== LOG) return undefined;
      writes += 1;
      return writes === 1 ? 'short' : fileError('ENOSPC', 'write');
    });
    const outcome = await attempt(port);
    expect(outcome).toMatchObject({ code: 'unwritable' });
    expect(String(outcome)).toContain('no space left');
    expect(files.peek(LOG)?.toString()).toBe(START);
    await goesOn(files, []);
  });

  test('a disk that fails for good in the middle: the lock stays, and the next writer takes the tail back', async () => {
    for (let at = 1; at <= healthy.calls; at += 1) {
      const files = new MemoryFiles({ [LOG]: START });
      const { port } = failing(files, ({ name }, number) =>
        number >= at ? fileError('EIO', name) : undefined,
      );
      const outcome = await attempt(port);
      const written = !(outcome instanceof Error);
      await goesOn(files, written ? ['a', 'b'] : []);
    }
  });

  test('no links: the lock is made under its name at once', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    const { port } = failing(files, ({ name }) => (name === 'link' ? fileError('EPERM', 'link') : undefined));
    expect(await attempt(port)).toMatchObject({ sequence: 3 });
    await goesOn(files, ['a', 'b']);
  });

  test('a log that is still to come: it is there with all of the batch, or not at all', async () => {
    const first = { phase: 'start', payload: {} };
    const calls = failing(new MemoryFiles(), () => undefined);
    await writerOf(worldOf({ files: calls.port })).append([first]);
    for (let at = 1; at <= calls.calls; at += 1) {
      const files = new MemoryFiles();
      const { port } = failing(files, ({ name }, number) =>
        number === at ? fileError('EIO', name) : undefined,
      );
      const outcome = await writerOf(worldOf({ files: port }))
        .append([first])
        .catch((error: unknown) => error);
      if (outcome instanceof Error) expect(files.peek(LOG)).toBeUndefined();
      else expect(eventsIn(files.peek(LOG))).toHaveLength(1);
    }
  });
});
