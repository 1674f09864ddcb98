import type { JsonObject } from './canonical.ts';
import { document } from './canonical.ts';
import { decide, governanceMode, propose } from './governance.ts';
import type { Run } from './run.ts';
import { writeState } from './state.ts';

const outcomes = ['succeeded', 'failed', 'replayed'] as const;

function writeInvocation(run: Run, folder: string, id: string, content: JsonObject): void {
  const record = {
    schema_version: 'tool_invocation/1.0.0',
    invocation_id: id,
    episode_id: run.id,
    ...content,
  };
  run.disk.replace(`tool_invocations/${folder}/${id}.json`, () => document(record));
}

/**
 * A call by the tool contract (noesis.md §14): its file before and after, events of the phase `tool`, an action, and no
 * act. What the events carry is not documented.
 */
export function callTool(run: Run, number: number): void {
  const { random, text } = run;
  const result_status = outcomes[number % outcomes.length] ?? 'succeeded';
  const invocation_id = `tool:search:${number}:${random.hex(8)}`;
  const call = { tool: 'search', arguments: { query: text.words(3), limit: random.int(50) } };
  const candidate = {
    schema_version: 'action_candidate/1.0.0',
    kind: 'tool',
    payload: { ...call, invocation_id },
    redaction: { mode: 'none', policy_id: 'redact.none', policy_version: '1.0.0', field_rules: {} },
    state_ref: 'state.json',
    state_hash: `sha256:${random.hex(64)}`,
  };
  if (governanceMode(run) !== 'off') {
    propose(run, candidate);
    decide(run, 'allow', false);
  }
  writeInvocation(run, 'prepared', invocation_id, call);
  const prepared = run.log.append({
    phase: 'tool',
    agent: run.adapter,
    causedBy: run.cause,
    payload: { invocation_id, tool: call.tool, status: 'prepared' },
  });
  const ended = run.log.append({
    phase: 'tool',
    agent: run.adapter,
    causedBy: prepared.id,
    timed: { since: prepared.micros },
    payload: { invocation_id, tool: call.tool, status: result_status },
  });
  writeInvocation(run, 'completed', invocation_id, { ...call, result_status, preview: text.words(4) });
  run.actions.push({
    id: `tool-${number}`,
    kind: 'tool',
    tool: call.tool,
    input_excerpt: call.arguments.query,
    result_status,
    timestamp: ended.timestamp,
  });
  run.cause = ended.id;
  writeState(run);
}
