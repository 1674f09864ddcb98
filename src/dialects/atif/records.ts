import { isObject, type JsonObject } from '../../json/value.ts';
import { messageText, numberIn, objectsIn, textIn } from '../excerpt.ts';
import type { Said, SaidCall, SaidResult, SessionReading } from '../kit/session.ts';
import { NO_TOKENS, type Tokens, tokensIn } from '../tokens.ts';

/** The source of a step; `trajectory` is everything but the steps. */
export const typeOf = (event: JsonObject): string | undefined =>
  textIn(event, 'source') ?? ('schema_version' in event ? 'trajectory' : undefined);

/** Prompt tokens include cached ones (atif.md §3). */
function tokensOf(metrics: JsonObject, total = ''): Tokens {
  const [input, cached] = [`${total}prompt_tokens`, `${total}cached_tokens`];
  const tokens = tokensIn(metrics, { input, cached, output: `${total}completion_tokens` });
  return { ...tokens, input: Math.max(0, tokens.input - tokens.cached) };
}

/** Such a call ends the run, and has no result. */
const LAST_CALL = /^(?:finish|submit|complete|done|terminate)/i;

function answerOf(step: JsonObject): Said {
  const { metrics, observation } = step;
  const calls = objectsIn(step, 'tool_calls').map((call, index): SaidCall => {
    const [id, tool = 'tool'] = [textIn(call, 'tool_call_id'), textIn(call, 'function_name')];
    return { id, tool, input: call['arguments'], path: ['tool_calls', index, 'tool_call_id'] };
  });
  const named = objectsIn(observation, 'results').map((result, index): SaidResult => {
    const path = ['observation', 'results', index, 'source_call_id'];
    return { id: textIn(result, 'source_call_id'), status: 'ok', text: messageText(result['content']), path };
  });
  // A result that names no call is of all calls of the step.
  const text = named.flatMap((result) => (result.id === undefined ? result.text : [])).join('\n');
  const isEnded = named.some(({ id }) => id === undefined);
  const isLast = ({ tool }: SaidCall) => observation == null && LAST_CALL.test(tool);
  const others = calls
    .filter((call) => (isEnded || isLast(call)) && !named.some(({ id }) => id === call.id))
    .map(({ id }): SaidResult => ({ id, status: 'ok', text }));
  return {
    thinking: textIn(step, 'reasoning_content') ?? '',
    answer: messageText(step['message']),
    calls,
    results: [...named.filter(({ id }) => id !== undefined), ...others],
    usage: { model: textIn(step, 'model_name'), tokens: isObject(metrics) ? tokensOf(metrics) : NO_TOKENS },
    cost: numberIn(metrics, 'cost_usd'),
    status: observation == null && calls.some((call) => !isLast(call)) ? 'open' : 'done',
  };
}

/** Everything but the steps. */
function trajectoryOf(root: JsonObject): Said {
  const { agent, final_metrics: totals } = root;
  const about = {
    id: textIn(root, 'session_id') ?? textIn(root, 'trajectory_id'),
    agent: [textIn(agent, 'name'), textIn(agent, 'version')].join(' '),
    format: textIn(root, 'schema_version'),
    continued_in: textIn(root, 'continued_trajectory_ref'),
  };
  return {
    isHead: true,
    isStart: true,
    about,
    model: textIn(agent, 'model_name'),
    ...(isObject(totals) && {
      totals: { tokens: tokensOf(totals, 'total_'), cost: numberIn(totals, 'total_cost_usd') },
    }),
    ...(about.continued_in !== undefined && { ends: 'continued' }),
  };
}

/** What a record says (atif.md §3). */
function said(event: JsonObject): Said {
  const { source, is_copied_context: isCopied } = event;
  if ('schema_version' in event) return trajectoryOf(event);
  const text = messageText(event['message']);
  // The first prompt is the title, and one that was not copied comes before one that was.
  const rank = (isCopied === true ? 0 : 1) + 1 / (numberIn(event, 'step_id') || 1);
  const title: Said = source === 'user' ? { title: [text, rank] } : {};
  if (isCopied === true) {
    const answer = source === 'agent' && { usage: { model: textIn(event, 'model_name'), tokens: NO_TOKENS } };
    return { ...title, ...answer, note: [`copied, ${source}`, text], detail: text };
  }
  if (source === 'agent') return answerOf(event);
  if (source === 'user') return { ...title, prompt: text, status: 'open' };
  return { note: ['system', text], detail: text, status: 'open' };
}

export const READING: SessionReading = {
  members: { id: 'step_id', time: 'timestamp' },
  said,
  writers: new Set(['write', 'write_file', 'edit']),
  isSelfContained: true,
};
