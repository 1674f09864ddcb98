import { expect, test } from 'vitest';
import { forOutput } from '../../src/base/json/output.ts';
import { NO_TOKENS } from '../../src/dialects/kit/tokens.ts';
import { codex } from '../../src/dialects/sessions/codex/index.ts';
import { RunFold } from '../../src/read/describe/run-fold.ts';
import { StatsFold } from '../../src/read/describe/stats.ts';

test('a run without a time, a project or keys of its answers is still in a group', () => {
  const usage = [1, 2].map((input) => ({ model: 'm', answers: 1, tokens: { ...NO_TOKENS, input } }));
  for (const by of ['day', 'project'] as const) {
    const stats = new StatsFold(by);
    stats.add(new RunFold(codex), { status: 'done', isOver: true, usage });
    expect(stats.result().groups).toEqual({
      unknown: { runs: 1, calls: { count: 0 }, failed: 0, tokens: { ...NO_TOKENS, input: 3 } },
    });
  }
});

test('models are ordered by their number of answers, then by name', () => {
  const stats = new StatsFold();
  const usage = ['c', 'b', 'a', 'b'].map((model) => ({
    model,
    answers: 1,
    tokens: { ...NO_TOKENS, input: 2 },
  }));
  stats.add(new RunFold(codex), { status: 'done', isOver: true, usage });
  const { models } = stats.result();
  expect(Object.entries(models)).toEqual([
    ['b', { answers: 2, tokens: { ...NO_TOKENS, input: 4 }, tools: {} }],
    ['a', { answers: 1, tokens: { ...NO_TOKENS, input: 2 }, tools: {} }],
    ['c', { answers: 1, tokens: { ...NO_TOKENS, input: 2 }, tools: {} }],
  ]);
});

test('words of a log are printed as they are stored, also as the names of groups and of models without a price', () => {
  const words = ['mockModel', 'myProject', 'toolUse'];
  const stats = new StatsFold('project');
  const tokens = { ...NO_TOKENS, input: 1, cached: 1 };
  const usage = [
    { key: 'k', model: 'mockModel', answers: 1, tokens },
    { key: 'k', model: 'mockModel', tool: 'toolUse', answers: 0 },
  ];
  stats.add(new RunFold(codex), { status: 'done', isOver: true, usage }, { project: 'myProject' });
  const from = { file: 'noesis.toml' };
  const prices = { currency: 'EUR', of: () => ({ prices: { input: '1', output: '1' }, from }) };
  const printed = JSON.stringify(forOutput(stats.result(prices)));
  expect(words.filter((word) => !printed.includes(`"${word}":`))).toEqual([]);
  expect(printed).toContain('"missing":{"mockModel":["cached"]}');
  expect(printed).not.toMatch(/"(mock_model|my_project|tool_use)"/);
});
