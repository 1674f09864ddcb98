import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

/** A log of a real program that ends with a complete answer, the name of its copy, and the member that says why it ended. */
const LOGS = {
  'claude-code': [
    'claude-code/projects/-home-usr-w-128-twosubs/cdc3a354-ab26-491a-bb65-d328eb16cc5f.jsonl',
    'cdc3a354-ab26-491a-bb65-d328eb16cc5f.jsonl',
    /("stop_reason": ?)"end_turn"/g,
  ],
  pi: ['pi/v3-plain-resumed-0.87.1.jsonl', 'session.jsonl', /("stopReason": ?)"stop"/g],
  opencode: ['opencode/export/plain-1.18.33.json', 'session.json', /("finish": ?)"stop"/g],
  copilot: [
    'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a/events.jsonl',
    'events.jsonl',
    /("finishReason": ?)"stop"/g,
  ],
} as const;

const CUT = 'the answer was cut at the limit of tokens';

describe.each<[dialect: keyof typeof LOGS, reason: string, words: string]>([
  ['claude-code', 'max_tokens', CUT],
  ['claude-code', 'model_context_window_exceeded', CUT],
  ['claude-code', 'refusal', 'the model refused to answer'],
  ['pi', 'length', CUT],
  ['opencode', 'length', CUT],
  ['opencode', 'content-filter', 'a filter of contents stopped the answer'],
  ['copilot', 'length', CUT],
  ['copilot', 'content_filter', 'a filter of contents stopped the answer'],
])('an answer of %s that ended for the reason %s', (dialect, reason, words) => {
  const [sample, name, member] = LOGS[dialect];
  const text = readFileSync(join(SAMPLES, sample), 'utf8').replaceAll(member, `$1"${reason}"`);
  const log = tempFile(text, name);

  test('is why the run was interrupted, in show, read and list', async () => {
    const { status, why } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
    expect({ status, why }).toMatchObject({
      status: 'interrupted',
      why: [{ kind: 'interrupted', text: words, tone: 'doubtful' }],
    });
    expect((await runHere(['read', log], { columns: 200 })).stdout).toContain(`interrupted: ${words}`);
    const [run] = JSON.parse((await runHere(['list', log, '-j'])).stdout);
    expect(run).toMatchObject({ status: 'interrupted', why: `interrupted: ${words}` });
  });
});
