import { expect, test } from 'vitest';
import { NO_TOKENS } from '../../src/dialects/kit/tokens.ts';
import type { LogAccount } from '../../src/read/describe/gathering.ts';
import type { Statistics } from '../../src/read/describe/stats.ts';
import { accountView } from '../../src/show/render/account-view.ts';
import { statsView } from '../../src/show/render/stats-view.ts';
import { plain } from '../../src/show/render/style.ts';
import { renderView } from '../../src/show/render/view.ts';

const WIDE = { style: plain, width: 80, cutWidth: Infinity, zone: 'utc' } as const;

test('shows the events of a log whose format has no end of a run', () => {
  const log: LogAccount = {
    account: undefined,
    events: 2,
    bytes: 40,
    counts: [['call', 2]],
    moreFailed: 0,
    slowest: [{ line: 2, name: 'call', durationMs: 1500 }],
    last: { line: 2, name: 'call' },
    start: undefined,
    end: undefined,
  };
  const frame = { name: 'a.jsonl', dialect: 'plain', integrity: { text: 'not asked' } };
  expect(renderView(accountView(log, frame), WIDE)).toBe(`Run       a.jsonl
Dialect   plain
Lasted    unknown, because no event has a time
Events    2: call 2
Integrity not asked

So far
  the log does not say that it ended; its last event is call, line 2

Slowest
  LINE  TOOK    EVENT
  2     1.50 s  call
`);
});

test('shows the answers and calls of a model, if there are any', () => {
  const statistics: Statistics = {
    episodes: 1,
    events: 3,
    statuses: { ok: 1 },
    runs: { count: 1 },
    phases: {},
    names: {},
    vetoes: {},
    failures: {},
    failed: Array.from({ length: 16 }, (_, line) => ({ name: 'bash', reason: 'no rule', count: 1, line })),
    refused: [],
    models: {
      one: { answers: 2, tokens: { ...NO_TOKENS, input: 10 }, tools: { read: 1 } },
      two: { answers: 1, tokens: NO_TOKENS, tools: {} },
      three: { answers: 0, tokens: NO_TOKENS, tools: { read: 3, write: 1 } },
    },
    days: {},
  };
  expect(renderView(statsView(statistics), WIDE)).toBe(`Runs      1
Events    3
Status    ok 1

Failures
  COUNT  WHAT  LATEST (LINE)  WHY
${Array.from({ length: 8 }, (_, line) => `  1      bash  line ${String(line).padEnd(5)}     no rule\n`).join('')}  and 8 more (-j has all)

Models
one       answers 2, input 10; calls of tools: read 1
two       answers 1
three     calls of tools: read 3, write 1
`);
});

test('lists tools and types of records apart', () => {
  const statistics: Statistics = {
    episodes: 1,
    events: 3,
    statuses: {},
    runs: { count: 0 },
    phases: {},
    names: {},
    tools: { Bash: { count: 1, p50: 10, p95: 10, max: 10 } },
    types: { prompt: { count: 9 } },
    other_logs: { subagents: 2, further: 1 },
    vetoes: {},
    failures: {},
    failed: [],
    refused: [],
    models: {},
    days: {},
  };
  const text = renderView(statsView(statistics), WIDE);
  expect(text).toMatch(/^Tools\n.*\n.*Bash\n\nTypes\n.*\n.*prompt$/m);
  expect(text).toMatch(/^Runs +1, with 2 logs of subagents and 1 further log$/m);
});
