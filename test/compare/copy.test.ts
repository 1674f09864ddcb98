import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const LOGS = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl') && statSync(join(SAMPLES, name)).size < 40_000)
  .sort();

/** What diff prints of a log and another one, without the folders. */
async function diffOf(log: string, other: string, args: readonly string[]) {
  const { code, stdout, stderr } = await runHere(['diff', log, other, '--config', 'none', ...args]);
  const plain = (text: string) => text.replaceAll(other, log);
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}

describe('a copy of a log', () => {
  test.each(sampled(LOGS, 12))(
    '%s is compared as a log of other bytes with the same records is',
    async (sample) => {
      const log = join(SAMPLES, sample);
      const [folder, otherFolder] = [tempDir(), tempDir()];
      const copy = join(folder, basename(log));
      const spaced = join(otherFolder, basename(log));
      copyFileSync(log, copy);
      // A space behind a record changes nothing, also if the end of the log is damaged.
      const bytes = readFileSync(log);
      const at = bytes.indexOf('\n');
      writeFileSync(spaced, Buffer.concat([bytes.subarray(0, at), Buffer.from(' '), bytes.subarray(at)]));
      for (const args of [['-j'], [], ['--exact'], ['--only', 'call', '-j']])
        expect(await diffOf(log, copy, args)).toEqual(await diffOf(log, spaced, args));
    },
  );
});
