import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/verify.ts';
import { SAMPLES } from '../support/cli.ts';
import { sampled } from '../support/length.ts';
import { tempDir, writeSettled } from '../support/temp.ts';
import { HOSTILE, QUOTED } from './quoted.ts';

const FIXTURES = 'test/fixtures';

const filesIn = (target: string): string[] =>
  statSync(target).isDirectory()
    ? readdirSync(target, { recursive: true, encoding: 'utf8' }).map((name) => join(target, name))
    : [target];

const TARGETS = [
  ...readdirSync(FIXTURES).flatMap((fixture) =>
    readdirSync(join(FIXTURES, fixture))
      .filter((name) => name !== 'expected.json')
      .map((name) => join(FIXTURES, fixture, name)),
  ),
  ...filesIn(SAMPLES).filter((name) => name.endsWith('.jsonl') && statSync(name).size < 200_000),
];

/** A copy of a target in which a text is followed by hostile words, wherever it is a whole JSON string. */
function copyWith(target: string, text: string): string {
  const copy = join(tempDir(), basename(target));
  cpSync(target, copy, { recursive: true });
  for (const file of filesIn(copy).filter((name) => statSync(name).isFile())) {
    const stored = readFileSync(file, 'utf8');
    writeSettled(file, stored.replaceAll(JSON.stringify(text), JSON.stringify(text + HOSTILE)));
  }
  return copy;
}

const messagesOf = async (target: string): Promise<string[]> =>
  (await verifyEpisode(target)).findings.map(({ message }) => message);

test.each(sampled(TARGETS, 20))('messages about %s quote what the trace says', async (target) => {
  const messages = (await messagesOf(target)).join('\n');
  const stored = filesIn(target)
    .filter((name) => statSync(name).isFile())
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n');
  const texts = new Set([...stored.matchAll(/"([^"\\\n]{2,100})"/g)].map(([, text = '']) => text));
  for (const text of texts) {
    if (!messages.includes(text)) continue;
    for (const message of await messagesOf(copyWith(target, text)))
      expect(message.replaceAll(QUOTED, '')).not.toContain('see line');
  }
});
