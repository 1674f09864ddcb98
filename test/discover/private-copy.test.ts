import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { privateCopy } from '../../src/find/private-copy.ts';
import { tempDir } from '../support/temp.ts';

const place = (tmpDir: string, interrupted = new AbortController().signal) => ({
  tmpDir,
  leftovers: new Set<() => void>(),
  interrupted,
});

const copyOf = (stream: Readable, where: ReturnType<typeof place>) =>
  privateCopy('stdin.jsonl', () => stream, { place: where, limits: { maxUnpacked: 1000 } });

describe('the private copy of a stream', () => {
  test('is complete, in a private file, and is removed on request', async () => {
    const where = place(tempDir());
    const copy = await copyOf(Readable.from([Buffer.from('{"a":1}\n'), Buffer.from('{"a":2}\n')]), where);
    expect(where.leftovers.size).toBe(1);
    expect(readFileSync(copy.path, 'utf8')).toBe('{"a":1}\n{"a":2}\n');
    expect(statSync(copy.path).mode & 0o077).toBe(0);
    copy.remove();
    expect(existsSync(copy.path)).toBe(false);
    expect(where.leftovers.size).toBe(0);
  });

  test('leaves nothing behind when the stream breaks', async () => {
    const folder = tempDir();
    const broken = new Readable({
      read() {
        this.destroy(new Error('torn off'));
      },
    });
    await expect(copyOf(broken, place(folder))).rejects.toThrow('torn off');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves nothing behind when it is interrupted, or the process ends', async () => {
    const folder = tempDir();
    const stop = new AbortController();
    const where = place(folder, stop.signal);
    const copying = copyOf(new Readable({ read() {} }), where);
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await expect(copying).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    await copyOf(Readable.from([Buffer.from('x')]), place(folder)).then(() => {});
    const left = place(folder);
    await copyOf(Readable.from([Buffer.from('x')]), left);
    for (const remove of left.leftovers) remove();
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
