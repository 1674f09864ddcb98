import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { spool } from '../../src/log/spool.ts';
import { tempDir } from '../support/temp.ts';

describe('spooling a stream', () => {
  test('copies it whole into a private file, and removes it when told', async () => {
    const copy = await spool(Readable.from([Buffer.from('{"a":1}\n'), Buffer.from('{"a":2}\n')]), tempDir());
    expect(readFileSync(copy.path, 'utf8')).toBe('{"a":1}\n{"a":2}\n');
    expect(statSync(copy.path).mode & 0o077).toBe(0);
    await copy.dispose();
    expect(existsSync(copy.path)).toBe(false);
  });

  test('leaves nothing behind when the stream breaks', async () => {
    const folder = tempDir();
    const broken = new Readable({
      read() {
        this.destroy(new Error('torn off'));
      },
    });
    await expect(spool(broken, folder)).rejects.toThrow('torn off');
    expect(readdirSync(folder)).toEqual([]);
  });
});
