import { compact, stringify } from './canonical.ts';
import type { Logged } from './events.ts';
import { sha256 } from './hash.ts';
import type { Run } from './run.ts';

/** The fingerprint of a prompt: the same for texts that differ in line ends and outer blanks only. */
export function fingerprint(rendered: string): string {
  const lines = rendered.replaceAll('\r\n', '\n').split('\n');
  return sha256(
    lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim(),
  );
}

/** Notes the prompt that led to an event, if the run keeps prompts: in full, by its hash, or redacted. */
export function recordPrompt(run: Run, phase: string, agent: string, event: Logged): void {
  if (!run.shape.prompts) return;
  const rendered = run.text.prompt();
  const mode = run.random.pick(['full', 'hash_only', 'redacted']);
  const hidden = '__redacted__';
  run.prompts.push({
    $schema_name: 'prompt',
    $schema_version: '1.1.0',
    episode_id: run.id,
    event_id: event.id,
    phase,
    agent_id: agent,
    role: 'system',
    kind: 'system',
    template_id: `${phase}.v1`,
    fingerprint: fingerprint(rendered),
    timestamp: event.timestamp,
    mode,
    model: 'example-model',
    tags: { env: 'demo' },
    ...(mode === 'full' ? { template: '{{goal}}', rendered, variables: { goal: rendered } } : {}),
    ...(mode === 'redacted' ? { template: hidden, rendered: hidden } : {}),
  });
}

/** prompts.jsonl as it stands. */
export const promptLines = (run: Run): Uint8Array =>
  Buffer.from(run.prompts.map((prompt) => `${stringify(prompt, compact)}\n`).join(''));
