import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { hashesSlowly, LocalHash, type StreamHash, ThreadHash } from '../../src/base/files/stream-hash.ts';
import { bundledWorker } from '../support/bundle.ts';

const url = bundledWorker('src/base/files/hash-worker.ts');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each([
  ['in this thread', () => new LocalHash()],
  ['in a thread of its own', () => new ThreadHash(url)],
] as const)('a hash %s', (_, create: () => StreamHash) => {
  it('covers all bytes, and those before each mark', async () => {
    const hash = create();
    const buffer = Buffer.from('abc');
    hash.update(buffer);
    // The memory is used again at once.
    buffer.write('def');
    hash.mark();
    hash.update(buffer);
    expect(hash.pressure()).toBeUndefined();
    expect(await hash.finish()).toEqual({ sha256: sha256('abcdef'), marks: [sha256('abc')] });
    hash.close();
  });

  it('of an empty file exists too', async () => {
    const hash = create();
    expect(await hash.finish()).toEqual({ sha256: sha256(''), marks: [] });
    hash.close();
  });
});

describe('the memory that a thread releases', () => {
  it('is used again for other bytes, fewer or more', async () => {
    const hash = new ThreadHash(url);
    const all = createHash('sha256');
    for (let count = 1; count <= 12; count++) {
      const chunk = new Uint8Array(3 * 1024 * 1024 + (count % 3) * 1024 * 1024).fill(count);
      hash.update(chunk);
      all.update(chunk);
      await hash.pressure();
    }
    expect((await hash.finish()).sha256).toBe(all.digest('hex'));
    hash.close();
  });
});

describe('whether hashing is slow', () => {
  it('is reported once', () => {
    expect(hashesSlowly()).toBe(hashesSlowly());
  });
});

describe('a thread that lags behind', () => {
  it('is awaited', async () => {
    const hash = new ThreadHash(url);
    const chunk = new Uint8Array(4 * 1024 * 1024);
    for (let count = 0; count < 9; count++) hash.update(chunk);
    await hash.pressure();
    const { sha256: all } = await hash.finish();
    hash.close();
    expect(all).toBe(
      createHash('sha256')
        .update(new Uint8Array(9 * chunk.length))
        .digest('hex'),
    );
  });

  it('is not awaited after a failure, which is reported', async () => {
    const hash = new ThreadHash(new URL('file:///nowhere/hash-worker.mjs'));
    hash.update(new Uint8Array(64 * 1024 * 1024));
    await hash.pressure();
    await expect(hash.finish()).rejects.toThrow(/Cannot find module/);
    hash.update(new Uint8Array(64 * 1024 * 1024));
    expect(hash.pressure()).toBeUndefined();
  });

  it('reports a failure at the end if nobody waited', async () => {
    const hash = new ThreadHash(new URL('file:///nowhere/hash-worker.mjs'));
    await expect(hash.finish()).rejects.toThrow(/Cannot find module/);
  });
});

describe('the thread', () => {
  it('returns buffers, and answers finish with digests', async () => {
    const port = Object.assign(new EventEmitter(), { postMessage: vi.fn() });
    vi.resetModules();
    vi.doMock('node:worker_threads', async (original) => ({ ...(await original()), parentPort: port }));
    await import('../../src/base/files/hash-worker.ts');
    const bytes = new TextEncoder().encode('ab');
    port.emit('message', bytes);
    port.emit('message', 'mark');
    port.emit('message', 'finish');
    await vi.waitFor(() => expect(port.postMessage).toHaveBeenCalledTimes(2), 60_000);
    const answer = { sha256: sha256('ab'), marks: [sha256('ab')] };
    expect(port.postMessage.mock.calls).toEqual([
      [bytes, [bytes.buffer]],
      [answer, []],
    ]);
    vi.doUnmock('node:worker_threads');
  });

  it('does nothing outside of a worker', async () => {
    vi.resetModules();
    await expect(import('../../src/base/files/hash-worker.ts')).resolves.toBeDefined();
  });
});
