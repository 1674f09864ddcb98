import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES, start } from '../../support/cli.ts';
import { tempDir } from '../../support/temp.ts';

describe.concurrent('tail -f', () => {
  test.each([
    'pi/v3-plain-resumed-0.87.1.jsonl',
    'pi/omp/omp-plain-resumed-17.3.5.jsonl',
    'qwen/cancelled-tool-0.24.4.jsonl',
    // Messages that are replaced, lists, and a rewind.
    'gemini/cancel-compress-rewind-0.61.0.jsonl',
  ])('shows each record of %s once, as the program writes it', async (sample) => {
    const lines = readFileSync(join(SAMPLES, sample), 'utf8').trimEnd().split('\n');
    const log = join(tempDir(), 'grows.jsonl');
    writeFileSync(log, `${lines.slice(0, 3).join('\n')}\n`);
    const running = start(['tail', '-f', log, '-j']);
    await running.sees(lines[2] ?? '');
    for (const line of lines.slice(3)) {
      // A record may come in two writes.
      appendFileSync(log, line.slice(0, 20));
      appendFileSync(log, `${line.slice(20)}\n`);
    }
    await running.sees(`${lines.at(-1)}\n`);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.finished();
    expect([code, stdout]).toEqual([130, `${lines.join('\n')}\n`]);
  });

  test.each(['atif/killed-v1.5.json', 'gemini/document-failed-tools-0.21.3.json'])(
    'refuses %s, which is written as a whole',
    async (sample) => {
      const log = join(tempDir(), 'session.json');
      copyFileSync(join(SAMPLES, sample), log);
      const { code, stderr } = await start(['tail', '-f', log]).finished();
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/is one JSON document, and cannot be\s+followed/),
      ]);
      expect((await start(['tail', log, '-n', '1']).finished()).code).toBe(0);
    },
  );
});
