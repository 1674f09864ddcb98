import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { listIn, messageText, numberIn, objectsIn, textIn } from '../../kit/members.ts';
import { NO_TOKENS, type Tokens, tokensIn, totalTokens, withoutCache } from '../../kit/tokens.ts';
import type { Said, SaidAgent, SaidCall, SaidResult, SessionReading } from '../kit/format.ts';
import { asCopy, resultsOfAll } from '../kit/said.ts';

/** The source of a step. `trajectory` is the document without its steps. */
export const typeOf = (event: JsonObject): string | undefined =>
  textIn(event, 'source') ?? ('schema_version' in event ? 'trajectory' : undefined);

/** Prompt tokens include cached ones (atif.md §3). */
function tokensOf(metrics: JsonObject, total = ''): Tokens {
  const [input, cached] = [`${total}prompt_tokens`, `${total}cached_tokens`];
  return withoutCache(tokensIn(metrics, { input, cached, output: `${total}completion_tokens` }));
}

function totalsOf({ final_metrics: totals }: JsonObject): Said['totals'] {
  if (!isObject(totals)) return undefined;
  const [cost, records] = [numberIn(totals, 'total_cost_usd'), numberIn(totals, 'total_steps')];
  return { tokens: tokensOf(totals, 'total_'), cost, records, path: ['final_metrics'] };
}

const resultsIn = ({ observation }: JsonObject): JsonObject[] => objectsIn(observation, 'results');

/** A subagent: a trajectory inside the document, or one that a result refers to. */
function agentOf(agent: JsonObject, isHere = false): SaidAgent {
  const [own, path] = [textIn(agent, 'trajectory_id'), textIn(agent, 'trajectory_path')];
  const [tokens, name] = [totalsOf(agent)?.tokens, textIn(agent['agent'], 'name')];
  const description = isHere ? `embedded (steps: ${listIn(agent, 'steps').length})` : path;
  const id = own ?? textIn(agent, 'session_id');
  return { id, own, path, description, name, tokens: tokens && totalTokens(tokens), isHere };
}

/** A call with such a name ends the run without a result. */
const LAST_CALL = /^(?:finish|submit|complete|done|terminate)/i;

function answerOf(step: JsonObject): Said {
  const { metrics, observation } = step;
  const calls = objectsIn(step, 'tool_calls').map((call, index): SaidCall => {
    const [id, tool = 'tool'] = [textIn(call, 'tool_call_id'), textIn(call, 'function_name')];
    return { id, tool, input: call['arguments'], path: ['tool_calls', index, 'tool_call_id'] };
  });
  const [model, tokens] = [textIn(step, 'model_name'), isObject(metrics) ? tokensOf(metrics) : NO_TOKENS];
  const isLast = ({ tool }: SaidCall) => observation == null && LAST_CALL.test(tool);
  const results = resultsIn(step).map((result, index): SaidResult => {
    const [id, text] = [textIn(result, 'source_call_id'), messageText(result['content'])];
    return { id, status: 'ok', text, path: ['observation', 'results', index, 'source_call_id'] };
  });
  const last = calls.filter(isLast).map(({ id }): SaidResult => ({ id, status: 'ok', text: '' }));
  return {
    thinking: textIn(step, 'reasoning_content') ?? '',
    answer: messageText(step['message']),
    calls,
    results: resultsOfAll(calls, [...results, ...last]),
    usage: { model, tokens, prompt: numberIn(metrics, 'prompt_tokens') },
    cost: numberIn(metrics, 'cost_usd'),
    status: observation == null && calls.some((call) => !isLast(call)) ? 'open' : 'done',
  };
}

/** The document without its steps. */
function trajectoryOf(root: JsonObject): Said {
  const { agent } = root;
  const about = {
    id: textIn(root, 'session_id') ?? textIn(root, 'trajectory_id'),
    part: textIn(root, 'trajectory_id'),
    agent: [textIn(agent, 'name'), textIn(agent, 'version')].join(' '),
    format: textIn(root, 'schema_version'),
    continued_in: textIn(root, 'continued_trajectory_ref'),
  };
  return {
    isHead: true,
    isStart: true,
    about,
    model: textIn(agent, 'model_name'),
    agents: objectsIn(root, 'subagent_trajectories').map((one) => agentOf(one, true)),
    files: [about.continued_in],
    totals: totalsOf(root),
    ...(about.continued_in !== undefined && { ends: 'continued', isPart: true }),
  };
}

/** The meaning of a record (atif.md §3). */
function said(event: JsonObject): Said {
  const { source, is_copied_context: isCopied } = event;
  if ('schema_version' in event) return trajectoryOf(event);
  const text = messageText(event['message']);
  // The title is the first prompt that was not copied; without one, the first prompt.
  const rank = (isCopied === true ? 0 : 1) + 1 / (numberIn(event, 'step_id') || 1);
  const results = resultsIn(event);
  const parts = [...objectsIn(event, 'message'), ...results.flatMap((one) => objectsIn(one, 'content'))];
  const unnamed = results.filter((result) => textIn(result, 'source_call_id') === undefined);
  const plain: Said = source === 'user' ? { prompt: text } : { note: ['system', text] };
  const own: Said = source === 'agent' ? answerOf(event) : { ...plain, detail: text, status: 'open' };
  return {
    ...(source === 'user' && { title: [text, rank] }),
    ...(isCopied === true ? asCopy(`copied, ${source}`, text) : own),
    counts: { unnamed_results: unnamed.length },
    agents: results.flatMap((one) => objectsIn(one, 'subagent_trajectory_ref')).map((ref) => agentOf(ref)),
    files: parts.map((part) => textIn(part['source'], 'path')),
  };
}

export const READING: SessionReading = {
  name: 'atif',
  members: { id: 'step_id', time: 'timestamp' },
  said,
  writers: new Set(['write', 'write_file', 'edit']),
  isSelfContained: true,
};
