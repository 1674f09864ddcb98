import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import {
  inputTokens,
  NO_TOKENS,
  type Tokens,
  tokensText,
  totalTokens,
} from '../../../src/dialects/kit/tokens.ts';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { outputIn } from '../../support/json.ts';
import { toolsOf } from '../sessions.ts';

/** The output of the commands for a sample. */
interface Printed {
  readonly session: SessionDocument;
  readonly show: {
    readonly dialect: string;
    readonly status: string;
    readonly events: number;
    readonly tokens?: Tokens;
    readonly models?: Readonly<Record<string, { readonly answers: number }>>;
  };
  readonly tokens: Tokens;
  /** As `events -j` prints them. */
  readonly events: readonly JsonObject[];
  /** Whether noesis reads records from a file that is not JSON Lines. */
  readonly isDocument: boolean;
  readonly findings: readonly Finding[];
  readonly count: (type: string) => Promise<number>;
}

/** The counts of the script, which shares no code with the project. */
type Expected = JsonObject;

async function print(log: string): Promise<Printed> {
  const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await runHere(args)).stdout) as T;
  const [show, stats, session, { episodes }, [listed]] = [
    await json<Printed['show']>('show', log, '-j'),
    await json<{ tokens?: Tokens }>('stats', log, '-j'),
    await json<SessionDocument>('project', log, '-j'),
    await json<{ episodes: { findings: Finding[] }[] }>('verify', log, '-j'),
    await json<[{ status: string; task: string; turns: number; dialect: string }]>('list', log, '-j'),
  ];
  const { stdout } = await runHere(['events', log, '-j']);
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const tokens = stats.tokens ?? NO_TOKENS;
  // Two commands never contradict each other.
  expect(show.tokens ?? NO_TOKENS).toEqual(tokens);
  expect(listed).toMatchObject({
    dialect: show.dialect,
    status: show.status,
    task: session.title ?? session.task,
    turns: session.turns.filter(({ copied }) => !copied).length,
  });
  expect(session.status).toBe(show.status);
  return {
    show,
    session,
    tokens,
    events: lines(stdout).map((line) => JSON.parse(line) as JsonObject),
    // A document begins with a line that is only a bracket.
    isDocument: lines(stdout).length > 0 && /^[[{]\s*$/.test(lines(readFileSync(log, 'utf8'))[0] ?? ''),
    findings: episodes.flatMap(({ findings }) => findings),
    count: async (type) => lines((await runHere(['events', log, '-j', '--type', type])).stdout).length,
  };
}

type Read = (printed: Printed, expected: Expected) => JsonValue | undefined | Promise<JsonValue | undefined>;

const fact =
  (name: string): Read =>
  ({ session }) =>
    session.session[name] as JsonValue | undefined;
const number =
  (name: string): Read =>
  ({ session }) =>
    Number(session.session[name] ?? 0);
const calls =
  (...statuses: string[]): Read =>
  ({ session }) =>
    session.calls.filter(({ status }) => statuses.includes(status)).length;
const found = (findings: readonly Finding[], code: string): Finding[] =>
  findings.filter((finding) => finding.code === code);
const count =
  (member: string): Read =>
  async ({ count }, expected) => {
    const types = Object.keys(expected[member] as JsonObject);
    return Object.fromEntries(await Promise.all(types.map(async (type) => [type, await count(type)])));
  };
const time = (text: string | undefined) => text && new Date(text).toISOString();
/** The id by which each entry names the one before it. */
const parentsOf = ({ events }: Printed, id: string, parent: string) =>
  events.filter((event) => id in event && event['type'] !== 'session').map((event) => event[parent] ?? null);

const SHARED: Readonly<Record<string, Read>> = {
  sessionId: fact('id'),
  title: ({ session }, expected) =>
    // A summary of the program for itself is no title for people.
    String(expected['title']).startsWith('<state_snapshot>') &&
    !/^</.test(session.title ?? session.task ?? '<')
      ? expected['title']
      : (session.title ?? session.task),
  cwd: fact('cwd'),
  first: ({ session }) => time(session.started_at),
  last: ({ session }) => time(session.ended_at),
  status: ({ show }) => show.status,
  records: ({ show }) => show.events,
  types: count('types'),
  turns: ({ session }) => session.turns.length,
  answers: ({ show }) => Object.values(show.models ?? {}).reduce((sum, { answers }) => sum + answers, 0),
  'tools.calls': ({ session }) => session.calls.length,
  'tools.ok': calls('ok'),
  'tools.failed': calls('error'),
  'tools.cancelled': calls('interrupted'),
  'tools.open': calls('open', 'no result'),
  'tools.notRun': ({ findings }) => found(findings, 'tool/never-started').length,
  'tools.byName': ({ session }) => toolsOf(session),
  // A model that was asked and did not answer is not among those that were counted.
  models: ({ show }) =>
    Object.fromEntries(
      Object.entries(show.models ?? {}).flatMap(([model, { answers }]) =>
        answers === 0 ? [] : [[model === 'unknown' ? '?' : model, answers]],
      ),
    ),
  'tokens.total': ({ tokens }) => totalTokens(tokens),
  format: ({ show }) => show.dialect,
  form: ({ isDocument }) => (isDocument ? 'document' : 'jsonl'),
  // Where it is stored, samples.test.ts tries.
  storedAs: (_, expected) => expected['storedAs'],
};

/** Gemini CLI and old Qwen Code. */
const GEMINI: Readonly<Record<string, Read>> = {
  ...SHARED,
  // The documents of old Qwen Code are those of Gemini CLI.
  format: ({ show }, { form, format }) => (form === 'document' ? format : show.dialect),
  kind: fact('kind'),
  projectHash: ({ events }) => events[0]?.['projectHash'],
  // What a program loads is counted in parts of the conversation, not in messages.
  messagesSeen: (_, { messagesSeen }) => messagesSeen,
  messagesEffective: (_, { messagesEffective }) => messagesEffective,
  idsTwiceInOneCheckpoint: ({ findings }) =>
    found(findings, 'event/duplicate-id').map(({ line }) => line ?? 0),
  'tokens.input': ({ tokens }, { tokens: of }) => inputTokens(tokens) - Number((of as JsonObject)['tool']),
  'tokens.tool': ({ tokens }, { tokens: of }) => inputTokens(tokens) - Number((of as JsonObject)['input']),
  'tokens.output': ({ tokens }) => tokens.output - tokens.reasoning,
  'tokens.cached': ({ tokens }) => tokens.cached,
  'tokens.thoughts': ({ tokens }) => tokens.reasoning,
};

/** By dialect and member: where it is printed. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  pi: {
    ...SHARED,
    version: fact('format'),
    titleSlot: ({ events }) => events[0]?.['type'] === 'title',
    // The session that it was forked from is shown by its id.
    parentSession: ({ session }, { parentSession }) =>
      String(parentSession).includes(`_${session.session['forked_from']}.`) ? parentSession : undefined,
    cost: fact('cost_usd'),
    // pi stores an error if the user aborted a call. Only its text says more.
    'tools.failed': calls('error', 'interrupted'),
    'tools.cancelled': () => 0,
    'tokens.input': ({ tokens }) => tokens.input,
    'tokens.output': ({ tokens }) => tokens.output,
    'tokens.cacheRead': ({ tokens }) => tokens.cached,
    'tokens.cacheWrite': ({ tokens }) => tokens.cache_write,
    // What a program loads is counted in parts of the conversation, not in records.
    pathLength: (_, { pathLength }) => pathLength,
    // Without ids, each entry follows the one before.
    roots: (printed, { version }) =>
      version === 1 ? 1 : parentsOf(printed, 'parentId', 'parentId').filter((id) => id === null).length,
    branchPoints: (printed) => {
      const parents = parentsOf(printed, 'parentId', 'parentId').filter((id) => id !== null);
      return parents.length - new Set(parents).size;
    },
    leaf: ({ events }) => events.at(-1)?.['id'] ?? `line ${events.length}`,
  },
  qwen: {
    ...SHARED,
    version: ({ session }) => (session.session['versions'] as string[] | undefined)?.join(),
    'tokens.input': ({ tokens }) => inputTokens(tokens),
    'tokens.output': ({ tokens }) => tokens.output,
    'tokens.cached': ({ tokens }) => tokens.cached,
    'tokens.thoughts': ({ tokens }) => tokens.reasoning,
    'telemetry.requests': number('requests'),
    'telemetry.total': number('requested_tokens'),
    linksToRecordBefore: ({ events, findings }) =>
      events.length - 1 - found(findings, 'lineage/not-the-previous').length,
    // What a program loads is counted in parts of the conversation, not in records.
    pathLength: (_, { pathLength }) => pathLength,
  },
  gemini: GEMINI,
  atif: {
    ...SHARED,
    version: fact('format'),
    agent: fact('agent'),
    steps: ({ show }) => show.events - 1,
    sources: count('sources'),
    copied: number('copied_messages'),
    resultsWithoutCall: number('unnamed_results'),
    tokensOfSteps: ({ tokens, session }, { tokensOfSteps }) => {
      const { prompt, completion, cached } = tokensOfSteps as Record<string, number>;
      const of = {
        ...NO_TOKENS,
        input: Number(prompt) - Number(cached),
        cached,
        output: completion,
      } as Tokens;
      const shown = session.session['tokens_of_answers'] ?? tokensText(tokens);
      return shown === tokensText(of) ? tokensOfSteps : undefined;
    },
    costOfSteps: ({ session: { session } }) => Number(session['cost_of_answers'] ?? session['cost_usd'] ?? 0),
    'finalMetrics.total_prompt_tokens': ({ tokens }) => inputTokens(tokens),
    'finalMetrics.total_completion_tokens': ({ tokens }) => tokens.output,
    'finalMetrics.total_cached_tokens': ({ tokens }) => tokens.cached,
    'finalMetrics.total_cost_usd': fact('cost_usd'),
    'finalMetrics.total_steps': ({ show, findings }) =>
      show.events - 1 + found(findings, 'usage/steps').length,
    subagentRefs: ({ session }) =>
      session.agents.filter(({ description }) => !isEmbedded(description)).length,
    subagentsEmbedded: ({ session }) =>
      session.agents.filter(({ description }) => isEmbedded(description)).length,
    continuedIn: fact('continued_in'),
  },
};

const isEmbedded = (description = '') => description.startsWith('embedded');

/** Compares each member with what is printed. Returns those that nothing compares. */
async function walk(
  members: Readonly<Record<string, Read>>,
  printed: Printed,
  expected: Expected,
): Promise<string[]> {
  const passedOver: string[] = [];
  const visit = async (value: JsonValue, path: string): Promise<void> => {
    const read = members[path];
    if (read) expect.soft({ [path]: await read(printed, expected) }).toEqual({ [path]: value });
    else if (isObject(value) && Object.keys(value).length > 0)
      for (const [name, member] of Object.entries(value))
        await visit(member, path === '' ? name : `${path}.${name}`);
    else passedOver.push(path);
  };
  await visit(expected, '');
  return passedOver;
}

const SAMPLE_FOLDERS = Object.keys(MEMBERS).flatMap((dialect) =>
  readdirSync(join(SAMPLES, dialect), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('expected.json') && !name.startsWith('damaged'))
    .map((name) => ({ dialect, folder: join(SAMPLES, dialect, name, '..') })),
);

describe.each(SAMPLE_FOLDERS)('$folder', ({ dialect, folder }) => {
  const all = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Expected>;

  test.each(Object.entries(all))('%s: every number that was counted is printed', async (name, expected) => {
    const members = MEMBERS[dialect] ?? {};
    expect(await walk(members, await print(join(folder, name)), expected)).toEqual([]);
  });
});

test('a member that nothing compares is found', async () => {
  const [[name, expected] = ['', {}]] = Object.entries(
    JSON.parse(readFileSync(join(SAMPLES, 'pi', 'expected.json'), 'utf8')) as Record<string, Expected>,
  );
  const printed = await print(join(SAMPLES, 'pi', name));
  const more = { ...expected, tokens: { ...(expected['tokens'] as JsonObject), dreams: 3 }, hats: {} };
  expect(await walk(MEMBERS['pi'] ?? {}, printed, more)).toEqual(['tokens.dreams', 'hats']);
});

/** The logs that were damaged, or written by two programs, with the findings that name the cause. */
interface Damaged {
  readonly findings: readonly (Pick<Finding, 'code' | 'severity'> & {
    readonly line?: number;
    /** The step of a trajectory. */
    readonly step?: number;
    readonly member?: string;
  })[];
}

/** Words about a sample, and no claims about what is found. */
const WORDS = ['from', 'what', 'program', 'validator'];

/** The script calls a total that is too small a warning. Real trajectories are few, and no count is a warning until they agree. */
const severityOf = ({ code, severity }: Damaged['findings'][number]) =>
  code === 'usage/total-too-small' ? 'info' : severity;

describe.each(Object.keys(MEMBERS))('a damaged log of %s', (dialect) => {
  const folder = join(SAMPLES, dialect, 'damaged');
  const all = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Damaged>;

  test.each(Object.entries(all))('%s has the finding that names the cause', async (name, expected) => {
    expect(Object.keys(expected).filter((member) => !WORDS.includes(member))).toEqual(['findings']);
    const { episodes }: { episodes: { findings: Finding[] }[] } = outputIn(
      (await runHere(['verify', join(folder, name), '-j'])).stdout,
    );
    const left = episodes.flatMap(({ findings }) => findings);
    for (const one of expected.findings) {
      const { code, line, step, member, ...rest } = one;
      expect(Object.keys(rest)).toEqual(['severity']);
      const isIt = (found: Finding) =>
        found.code === code &&
        found.severity === severityOf(one) &&
        found.line === line &&
        (step === undefined || found.eventId === String(step)) &&
        (member === undefined || (found.path !== undefined && member.startsWith(found.path)));
      const at = left.findIndex(isIt);
      expect([code, line, at >= 0]).toEqual([code, line, true]);
      left.splice(at, 1);
    }
    expect(left).toEqual([]);
  });
});
