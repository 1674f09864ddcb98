import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCTOR_SAMPLES } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

// Calls as parts of the content, with the results in the next message: noesis doctor writes them, because Gemini CLI sends
// the results of `toolCalls` twice.

const REPAIRED = join(DOCTOR_SAMPLES, 'gemini/repaired');

const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);

describe('a call in the content of an answer', () => {
  test.each(readdirSync(REPAIRED))('has the result in the next message: %s', async (name) => {
    const log = join(REPAIRED, name);
    const { episodes } = await json('verify', log, '-j');
    const codes = episodes[0].findings.map(({ code }: { readonly code: string }) => code);
    expect(codes.filter((code: string) => code.startsWith('tool/'))).toEqual([]);
    expect((await json('show', log, '-j')).counts.call).toBeGreaterThan(0);
  });

  test('is shown with its result as a call of toolCalls is', async () => {
    const texts = await Promise.all(
      ['one-run.jsonl', 'one-run-parts.jsonl'].map(
        async (name) => (await runHere(['read', join(REPAIRED, name)])).stdout,
      ),
    );
    for (const text of texts) {
      expect(text.match(/run_shell_command +echo/g)).toHaveLength(2);
      expect(text.match(/Output: (?:seven|again)/g)).toHaveLength(2);
    }
  });

  test('fails once if the result is an error, and is open without one', async () => {
    const lines = readFileSync(join(REPAIRED, 'one-run-parts.jsonl'), 'utf8').trim().split('\n');
    const failed = join(tempDir(), 'session-2026-11-26T13-03-10596065.jsonl');
    writeSettled(failed, `${lines.join('\n')}\n`.replace('"output":"<untrusted_context>', '"error":"no: '));
    expect((await runHere(['events', failed, '--failed', '-j'])).stdout.trim().split('\n')).toHaveLength(1);
    const open = join(tempDir(), 'session-2026-11-26T13-03-10596065.jsonl');
    writeSettled(open, `${lines.filter((line) => !line.includes('functionResponse')).join('\n')}\n`);
    const { episodes } = await json('verify', open, '-j');
    const codes = episodes[0].findings.map(({ code }: { readonly code: string }) => code);
    expect(codes).toContain('tool/unanswered');
  });
});
