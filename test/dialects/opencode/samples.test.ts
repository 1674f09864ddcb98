import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { NO_TOKENS, type Tokens, totalTokens } from '../../../src/dialects/kit/tokens.ts';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { toolsOf } from '../sessions.ts';

// The expected figures come from a script that shares no code with the project.

const FOLDER = join(SAMPLES, 'opencode');

const expectedOf = (...path: string[]): [name: string, expected: JsonObject][] =>
  Object.entries(
    JSON.parse(readFileSync(join(FOLDER, ...path, 'expected.json'), 'utf8')) as Record<string, JsonObject>,
  );

async function json<T>(...args: string[]): Promise<T> {
  const { stdout, stderr } = await runHere(args);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as T;
}

/** A finding of the script. New codes are marked. */
interface ExpectedFinding {
  readonly code: string;
  readonly severity: string;
  readonly count?: number;
  readonly record?: string | number | null;
}

const named = ({ code, severity }: Pick<Finding, 'code' | 'severity'> | ExpectedFinding) =>
  `${code.replace(' (new)', '')} ${severity}`;

interface Printed {
  readonly session: SessionDocument;
  readonly show: {
    readonly status: string;
    readonly events: number;
    readonly tokens?: Tokens;
    readonly models?: Readonly<Record<string, { readonly answers: number }>>;
  };
  /** From `stats -j`: of the session alone. */
  readonly tokens: Tokens;
  readonly events: readonly JsonObject[];
  readonly findings: readonly Finding[];
}

async function print(target: string): Promise<Printed> {
  const [show, stats, session, { episodes }] = [
    await json<Printed['show']>('show', target, '-j'),
    await json<{ tokens?: Tokens; subagents?: { tokens: Tokens } }>('stats', target, '-j'),
    await json<SessionDocument>('project', target, '-j'),
    await json<{ episodes: { findings: Finding[] }[] }>('verify', target, '-j'),
  ];
  const [listed, ...others] = await json<JsonObject[]>('list', target, '-j');
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ dialect: 'opencode', status: show.status, turns: session.turns.length });
  expect(listed?.['task']).toBe(session.title ?? session.task);
  const { stdout } = await runHere(['events', target, '-j']);
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
  const children = stats.subagents?.tokens ?? NO_TOKENS;
  const own = (kind: keyof Tokens) => (stats.tokens?.[kind] ?? 0) - children[kind];
  const tokens = {
    input: own('input'),
    cached: own('cached'),
    cache_write: own('cache_write'),
    output: own('output'),
    reasoning: own('reasoning'),
  };
  return { show, session, tokens, events, findings: episodes.flatMap(({ findings }) => findings) };
}

const infoOf = (event: JsonObject | undefined): JsonObject =>
  isObject(event?.['info']) ? event['info'] : {};
const partsOf = (event: JsonObject): JsonObject[] =>
  Array.isArray(event['parts']) ? event['parts'].filter(isObject) : [];
const iso = (ms: JsonValue | undefined) => (typeof ms === 'number' ? new Date(ms).toISOString() : null);
const createdOf = (event: JsonObject | undefined) => {
  const { time } = infoOf(event);
  return isObject(time) ? time['created'] : undefined;
};
const fact =
  (name: string) =>
  ({ session }: Printed) =>
    (session.session[name] ?? null) as JsonValue;
const number = ({ session }: Printed, name: string) => Number(session.session[name] ?? 0);
const calls =
  (...statuses: string[]) =>
  ({ session }: Printed) =>
    session.calls.filter(({ status }) => statuses.includes(status)).length;
const messagesOf = ({ events }: Printed) => events.slice(1);

function typesOf(printed: Printed): JsonObject {
  const types: Record<string, number> = {};
  const add = (type: string) => {
    types[type] = (types[type] ?? 0) + 1;
  };
  for (const event of messagesOf(printed)) {
    add(`message/${String(infoOf(event)['role'])}`);
    for (const part of partsOf(event)) add(`part/${String(part['type'])}`);
  }
  return types;
}

type Read = (printed: Printed, expected: JsonObject) => unknown;

/** Where each figure is printed. */
const MEMBERS: Readonly<Record<string, Read>> = {
  sessionId: fact('id'),
  parent: fact('parent'),
  version: ({ session }) => (session.session['versions'] as string[])[0],
  title: ({ session }) => session.title ?? session.task,
  cwd: fact('cwd'),
  started: ({ events }) => iso(createdOf(events[0])),
  first: (printed) => iso(createdOf(messagesOf(printed)[0])),
  last: ({ session }) => new Date(session.ended_at ?? '').toISOString(),
  records: (printed) => messagesOf(printed).reduce((sum, event) => sum + 1 + partsOf(event).length, 0),
  messages: ({ show }) => show.events - 1,
  types: typesOf,
  turns: ({ session }) => session.turns.length,
  answers: (printed) =>
    Object.values(printed.show.models ?? {}).reduce(
      (sum, { answers }) => sum + answers,
      number(printed, 'copied_answers'),
    ),
  copied: (printed) => number(printed, 'copied_messages'),
  compactions: ({ session }) => session.compactions,
  'tools.calls': ({ session }) => session.calls.length,
  'tools.ok': calls('ok'),
  'tools.failed': calls('error'),
  'tools.interrupted': calls('interrupted'),
  'tools.open': calls('open', 'no result'),
  'tools.byName': ({ session }) => toolsOf(session),
  tokens: (printed, { tokens }) => {
    // Copied answers count in the session that they were copied from.
    const copied = number(printed, 'copied_tokens');
    return totalTokens(printed.tokens) + copied === totalTokens(tokens as unknown as Tokens) && copied > 0
      ? tokens
      : printed.tokens;
  },
  tokensOwn: ({ tokens }) => tokens,
  cost: (printed, { cost, costOwn }) => (costOwn === undefined ? printed.session.session['cost_usd'] : cost),
  costOwn: fact('cost_usd'),
  models: (printed) => {
    const models = Object.entries(printed.show.models ?? {}).map(([model, { answers }]) => [
      model,
      answers + number(printed, 'copied_answers'),
    ]);
    return Object.fromEntries(models);
  },
  files: ({ session }) => session.files.map(({ path }) => path).sort(),
  status: ({ show }) => show.status,
  revert: fact('reverted_to'),
  stated: ({ events, session }) => {
    const { tokens, cost } = infoOf(events[0]);
    const isZero = session.session['stated_tokens'] === undefined;
    expect(isZero || session.session['stated_cost_usd'] === cost).toBe(true);
    return { cost: Math.round(Number(cost) * 1e9) / 1e9, tokens };
  },
  subagents: ({ session }) => session.agents.map(({ id }) => id),
  findings: ({ findings }) => findings.map(named).sort(),
};

const EXPECTED_AS: Readonly<Record<string, (value: JsonValue) => unknown>> = {
  findings: (value) => (value as unknown as ExpectedFinding[]).map(named).sort(),
};

async function compare(target: string, expected: JsonObject): Promise<void> {
  const printed = await print(target);
  const walk = (members: JsonObject, path: string): void => {
    for (const [name, value] of Object.entries(members)) {
      const member = path + name;
      const read = MEMBERS[member];
      if (read)
        expect({ [member]: read(printed, expected) }).toEqual({
          [member]: EXPECTED_AS[member]?.(value) ?? value,
        });
      else if (isObject(value)) walk(value, `${member}.`);
      else expect.unreachable(`nothing is compared with ${member}`);
    }
  };
  walk(expected, '');
}

describe('an export document of opencode', () => {
  const exports = expectedOf().filter(([name]) => name.startsWith('export/'));

  test.each(exports)('%s is read as the script counts it', async (name, expected) => {
    await compare(join(FOLDER, name), expected);
  });

  test.each(exports)('%s is read, searched, drawn, exported and compared', async (name, expected) => {
    const log = join(FOLDER, name);
    const { turns } = await json<{ turns: { turn: number }[] }>('read', log, '-j');
    expect(turns.filter(({ turn }) => turn > 0)).toHaveLength(Number(expected['turns']));
    expect((await runHere(['search', 'the', log])).code).toBe(/the/.test(readFileSync(log, 'utf8')) ? 0 : 1);
    expect((await runHere(['view', log, '-o', '-'])).stdout).toContain('<!doctype html>');
    expect((await runHere(['export', log, '--format', 'otlp'])).code).toBe(0);
    expect((await runHere(['timeline', log])).code).toBe(0);
    expect((await runHere(['diff', log, log])).stdout).toContain('same');
  });
});

describe('a damaged session of opencode', () => {
  test.each(expectedOf('damaged').filter(([name]) => name.endsWith('.json')))(
    '%s has the finding that names the cause',
    async (name, { findings }) => {
      const report = await json<{ episodes: { findings: Finding[] }[] }>(
        'verify',
        join(FOLDER, 'damaged', name),
        '-j',
      );
      const found = report.episodes.flatMap((episode) => episode.findings);
      const expected = findings as unknown as ExpectedFinding[];
      expect(found.map(named).sort()).toEqual(expected.map(named).sort());
      const text = readFileSync(join(FOLDER, 'damaged', name), 'utf8').split('\n');
      for (const one of expected) {
        if (typeof one.record !== 'string') continue;
        const same = found.filter((finding) => named(finding) === named(one));
        // The finding names the record, or is inside of it.
        const isIt = ({ eventId, message, line = 0 }: Finding) =>
          eventId === one.record ||
          message.includes(String(one.record)) ||
          text
            .slice(line - 1, line + 120)
            .join()
            .includes(String(one.record));
        expect(same.filter(isIt), JSON.stringify(found)).not.toEqual([]);
      }
    },
  );
});
