import { compact, type JsonObject, stringify } from './canonical.ts';
import { isoTime } from './clock.ts';
import { sha256 } from './hash.ts';
import type { Run } from './run.ts';

/** The fingerprint of a prompt. Line ends and outer white space do not change it. */
export function fingerprint(rendered: string): string {
  const lines = rendered.replaceAll('\r\n', '\n').split('\n');
  return sha256(
    lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim(),
  );
}

/** A prompt before or after an event. */
export interface Prompt {
  readonly phase: string;
  readonly agent: string;
  readonly kind: string;
  readonly rendered: string;
  readonly eventId?: string;
}

const hidden = '__redacted__';

/** The prompts of the published runtime; its version and one of its phases are not in the schema. */
function recorded(run: Run, prompt: Prompt, mode: string): JsonObject {
  const tags = Object.entries(run.tags).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
  );
  return {
    $schema_name: 'prompt',
    $schema_version: '1.0.0',
    kind: prompt.kind,
    template_id: `${prompt.phase === 'plan' ? 'planner.minimal' : prompt.phase}.v1`,
    tags: tags.length > 0 ? Object.fromEntries(tags) : undefined,
    ...(mode === 'full' ? { rendered: prompt.rendered } : {}),
    ...(mode === 'redacted' ? { rendered: hidden } : {}),
  };
}

/** The prompts of the documents. */
const documented = ({ phase, rendered }: Prompt, mode: string): JsonObject => ({
  $schema_name: 'prompt',
  $schema_version: '1.1.0',
  kind: 'system',
  template_id: `${phase}.v1`,
  model: 'example-model',
  tags: { env: 'demo' },
  ...(mode === 'full' ? { template: '{{goal}}', rendered, variables: { goal: rendered } } : {}),
  ...(mode === 'redacted' ? { template: hidden, rendered: hidden } : {}),
});

/** Notes a prompt, if the run keeps prompts: in full, by its hash, or redacted. */
export function recordPrompt(run: Run, prompt: Prompt): void {
  if (!run.shape.prompts) return;
  if (run.documentedPrompts && prompt.phase === 'intuition') return;
  const mode = run.random.pick(['full', 'hash_only', 'redacted']);
  // Some prompts also have parts on which the fingerprint must not depend.
  const rendered = run.documentedPrompts && !run.shape.script ? run.text.prompt() : prompt.rendered;
  const asWritten = { ...prompt, rendered };
  const record = {
    episode_id: run.id,
    event_id: prompt.eventId,
    phase: prompt.phase,
    agent_id: prompt.agent,
    role: 'system',
    fingerprint: fingerprint(rendered),
    timestamp: isoTime(run.clock.blink()),
    mode,
    ...(run.documentedPrompts ? documented(asWritten, mode) : recorded(run, asWritten, mode)),
  };
  run.disk.append('prompts.jsonl', `${stringify(record, compact)}\n`);
}
