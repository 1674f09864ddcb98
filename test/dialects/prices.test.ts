import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { addCharges } from '../../src/dialects/kit/charges.ts';
import { type Cost, compareCosts, costCell, costOf, costText } from '../../src/dialects/kit/prices.ts';
import { NO_TOKENS, type Tokens } from '../../src/dialects/kit/tokens.ts';
import { findPrices } from '../../src/find/prices.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

/** What tokens cost with these prices in a configuration; the currency is not that of the built-in list. */
async function cost(models: object, used: Readonly<Record<string, Partial<Tokens>>>): Promise<Cost> {
  const of = Object.entries(models).map(
    ([name, kinds]) => `[prices.models.${JSON.stringify(name)}]\n${tomlOf(kinds)}`,
  );
  const cwd = writeTree({ 'noesis.toml': `[prices]\ncurrency = "EUR"\n${of.join('')}` });
  const prices = await (await findPrices({ cwd }))(Object.keys(used));
  if (prices === undefined) throw new Error('there are no prices');
  const charges = Object.entries(used).map(([model, tokens]) => ({
    model,
    tokens: { ...NO_TOKENS, ...tokens },
  }));
  return costOf(addCharges(charges), prices);
}

const tomlOf = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join('');

test('a cost is an exact decimal number', async () => {
  const models = { m: { input: 0.1, output: '0.2' } };
  expect(await cost(models, { m: { input: 1_000_000, output: 1_000_000 } })).toEqual({
    amount: '0.3',
    currency: 'EUR',
    prices: { file: 'noesis.toml' },
  });
  expect((await cost(models, { m: { input: 1 } })).amount).toBe('0.0000001');
  expect((await cost(models, { m: {} })).amount).toBe('0');
});

test('an exact name counts before a pattern, and a longer pattern before a shorter one', async () => {
  const at = (input: number) => ({ input, output: 0 });
  const models = { '*': at(1), 'a-*': at(2), 'a-b': at(3) };
  const of = async (model: string) => (await cost(models, { [model]: { input: 1_000_000 } })).amount;
  expect(await Promise.all(['x', 'a-c', 'a-b'].map(of))).toEqual(['1', '2', '3']);
});

test('reasoning is part of the output, and may have its own price', async () => {
  const used = { m: { output: 3_000_000, reasoning: 1_000_000 } };
  expect((await cost({ m: { input: 0, output: 2 } }, used)).amount).toBe('6');
  expect((await cost({ m: { input: 0, output: 2, reasoning: 5 } }, used)).amount).toBe('9');
});

test('a model without a price is named and not counted as free', async () => {
  const models = { m: { input: 1, output: 1 } };
  const total = await cost(models, { m: { input: 2_000_000 }, n: { output: 1 }, idle: {} });
  const prices = { file: 'noesis.toml' };
  expect(total).toEqual({ amount: '2', currency: 'EUR', prices, unpriced: ['n'] });
  expect(costText(total)).toBe('2.00 EUR (prices of noesis.toml), without n (no price)');
  expect(costCell(total)).toBe('≥ 2.00 EUR');
  expect((await cost(models, { m: { cached: 1 } })).unpriced).toEqual(['m']);
  expect(costText(await cost(models, { m: { cached: 1 }, n: { input: 1 } }))).toBe(
    'unknown, because m has no price for cached, n has no price (see noesis help prices)',
  );
  const nothing = await cost(models, { n: { input: 1 } });
  expect(nothing.amount).toBeNull();
  expect(costCell(nothing)).toBe('no price');
  expect(compareCosts(nothing, total)).toBe(-1);
  expect(costCell(await cost(models, { m: { input: 2_000_000 } }))).toBe('2.00 EUR');
});

test.each([
  ['0', '0.00 USD'],
  ['12.345', '12.35 USD'],
  ['0.995', '1.00 USD'],
  ['0.0004249', '0.00042 USD'],
])('%s is shown as %s', (amount, text) => {
  expect(costText({ amount, currency: 'USD', prices: { list: '2026-09-23' } })).toBe(
    `${text} (prices of 2026-09-23)`,
  );
});

const TOML =
  '[prices]\ncurrency = "EUR"\n[prices.models."claude-*"]\ninput = 3\ncached = 0.3\ncache_write = 3.75\noutput = 15\n';

test('prices in the configuration add the cost everywhere', async () => {
  const cwd = writeTree({ 'noesis.toml': TOML });
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const run = async (...args: string[]) => (await runHere(args, { cwd })).stdout;
  const shown = JSON.parse(await run('show', log, '-j'));
  const { input, cached, cache_write: written, output } = shown.tokens as Tokens;
  const nanos = input * 3000 + cached * 300 + written * 3750 + output * 15_000;
  expect(Number(shown.cost.amount)).toBeCloseTo(nanos / 1e9, 9);
  expect(shown.cost.currency).toBe('EUR');
  expect(JSON.parse(await run('read', log, '-j')).cost).toEqual(shown.cost);
  expect(JSON.parse(await run('stats', log, '-j')).cost).toEqual(shown.cost);
  expect(JSON.parse(await run('list', log, '-j'))[0].cost).toEqual(shown.cost);
  const [, packed = ''] = /id="document">([^<]*)</.exec(await run('view', log, '-o', '-')) ?? [];
  const onPage = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()).account.usage.cost;
  const { isMinimum, ...cost } = onPage;
  expect({ ...cost, is_minimum: isMinimum }).toEqual(shown.cost);
  const text = costText(shown.cost);
  const amount = costCell(shown.cost);
  expect(await run('list', log)).toContain(amount);
  for (const command of ['show', 'read', 'stats']) expect(await run(command, log), command).toContain(text);
  expect(await run('list', log)).toContain('COST');
});

test('an invalid price is refused', async () => {
  const cwd = writeTree({ 'noesis.toml': TOML.replace('input = 3', 'input = -3') });
  const { code, stderr } = await runHere(['list', join(SAMPLES, 'codex/sessions')], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('must be a decimal number')]);
});

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');

test('stats --by shows the cost of each group', async () => {
  const cwd = writeTree({ 'noesis.toml': TOML });
  const run = async (...args: string[]) => (await runHere(['stats', SHOP, ...args], { cwd })).stdout;
  const { cost, models } = JSON.parse(await run('-j'));
  for (const by of ['model', 'day', 'project', 'status']) {
    const { groups } = JSON.parse(await run('--by', by, '-j'));
    const costs = Object.values<{ cost: { amount: string } }>(groups).map((group) => group.cost.amount);
    expect(costs.reduce((sum, one) => sum + Number(one), 0)).toBeCloseTo(Number(cost.amount), 12);
    expect(await run('--by', by)).toMatch(/TOKENS +COST/);
  }
  expect(Object.keys(models).length).toBeGreaterThan(0);
  expect(await run('--by', 'tool')).not.toContain('COST');
  expect((await runHere(['stats', SHOP, '--by', 'model'])).stdout).toMatch(/TOKENS +COST/);
});

test('list says that there is no price, and show names the model', async () => {
  const cwd = writeTree({ 'noesis.toml': TOML.replace('claude-*', 'other') });
  const [list = '', show = ''] = await Promise.all(
    ['list', 'show', 'stats'].map(async (command) => (await runHere([command, SHOP], { cwd })).stdout),
  );
  expect(show).toMatch(/unknown, because \S+ has no price \(see noesis help prices\)/);
  expect(list).toContain('no price');
  expect(list).not.toContain('0.00 EUR');
});

test.each([
  ['[prices]\n', 'prices.currency is missing'],
  ['[prices]\ncurrency = 5\n', 'prices.currency must be a text'],
  ['[prices]\ncurrency = ""\n', 'prices.currency'],
])('%j is an error wherever prices count, although nothing is priced', async (toml, text) => {
  const cwd = writeTree({ 'noesis.toml': toml });
  for (const command of ['list', 'show', 'read', 'stats']) {
    const { code, stderr } = await runHere(
      [command, join(SAMPLES, 'exarchos', 'demo-feature.events.jsonl')],
      { cwd },
    );
    expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining(text)]);
    expect(stderr).toContain('noesis help configuration');
  }
});

test.each([
  [-5, 0],
  [1.5, 0],
  [1e308, 0],
  ['1e999', 0],
  [7, 7],
])('a count of %s tokens counts as %s everywhere', async (count, counted) => {
  const time = '2026-01-01T00:00:00Z';
  const usage = `{"input":${count},"output":0,"cacheRead":0,"cacheWrite":0}`;
  const log = 'session.jsonl';
  const cwd = writeTree({
    'noesis.toml': '[prices]\ncurrency = "EUR"\n[prices.models."*"]\ninput = 1\noutput = 1\n',
    [log]: [
      `{"type":"session","version":3,"id":"s","timestamp":"${time}","cwd":"/x"}`,
      `{"type":"message","id":"a","parentId":null,"timestamp":"${time}","message":{"role":"user","content":"hi"}}`,
      `{"type":"message","id":"b","parentId":"a","timestamp":"${time}","message":{"role":"assistant","provider":"p","model":"m","stopReason":"stop","content":[],"usage":${usage}}}`,
      '',
    ].join('\n'),
  });
  for (const command of ['show', 'stats', 'read', 'list']) {
    const { code, stdout } = await runHere([command, log, '-j'], { cwd });
    expect([command, code]).toEqual([command, 0]);
    if (command === 'list') expect(JSON.parse(stdout)[0].tokens.input).toBe(counted);
    if (command === 'show')
      expect(JSON.parse(stdout).cost?.amount).toBe(counted === 0 ? undefined : '0.000007');
  }
});

test('a count of an answer of the Copilot CLI that is not a whole number is not counted', async () => {
  const folder = join(SAMPLES, 'copilot/session-state');
  const [name = ''] = readdirSync(folder).sort();
  const text = readFileSync(join(folder, name, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => !line.includes('"session.shutdown"'))
    .join('\n');
  expect(text).toMatch(/"outputTokens": ?\d/);
  const cwd = writeTree({
    'noesis.toml': '[prices]\ncurrency = "EUR"\n[prices.models."*"]\ninput = 1\noutput = 1\n',
    'events.jsonl': text.replaceAll(/"outputTokens": ?\d+/g, '"outputTokens":-1.5'),
  });
  expect((await runHere(['show', 'events.jsonl', '-j'], { cwd })).code).toBe(0);
});

test.each([
  ['1e999', undefined],
  ['-5', undefined],
  ['0.25', '0.25'],
])('a cost of %s in a log is shown as %s', async (cost, shown) => {
  const time = '2026-01-01T00:00:00Z';
  const cwd = writeTree({
    'session.jsonl': [
      `{"type":"session","version":3,"id":"s","timestamp":"${time}","cwd":"/x"}`,
      `{"type":"message","id":"b","parentId":null,"timestamp":"${time}","message":{"role":"assistant","provider":"p","model":"m","stopReason":"stop","content":[],"usage":{"input":1,"cost":{"total":${cost}}}}}`,
      '',
    ].join('\n'),
  });
  const { stdout } = await runHere(['show', 'session.jsonl'], { cwd });
  expect(stdout).toContain('answers 1');
  expect(/^cost_usd +(.*)$/m.exec(stdout)?.[1]).toBe(shown);
});

const PI = join(SAMPLES, 'pi/v3-plain-resumed-0.87.1.jsonl');

test('without a price, the cost is the one that the program stored, in every command', async () => {
  const run = async (...args: string[]) => (await runHere(args)).stdout;
  const { cost } = JSON.parse(await run('show', PI, '-j'));
  expect(cost).toEqual({ amount: '0.005412', currency: 'USD', prices: { stored_by: ['pi'] } });
  expect(JSON.parse(await run('list', PI, '-j'))[0].cost).toEqual(cost);
  expect(JSON.parse(await run('stats', PI, '-j')).cost).toEqual(cost);
  const read = JSON.parse(await run('read', PI, '-j'));
  expect(read.cost).toEqual(cost);
  const turns: { cost?: Cost }[] = read.turns;
  expect(turns.reduce((sum, turn) => sum + Number(turn.cost?.amount ?? 0), 0)).toBeCloseTo(0.005412, 12);
  for (const command of ['show', 'read', 'stats'])
    expect(await run(command, PI), command).toContain('0.0054 USD (as pi wrote it)');
  // Two columns have one remark.
  expect(await run('diff', PI, PI)).toMatch(
    /^Cost +0\.0054 USD +0\.0054 USD\n[\s\S]*^costs: as pi wrote it$/m,
  );
  const list = await runHere(['list', join(SAMPLES, 'pi'), '--sort', 'cost']);
  expect(list.stdout).toContain('0.0054 USD');
  expect(list.stderr).toContain('as pi wrote it');
});

test('a price has priority over the cost that the program stored, and other currencies do without it', async () => {
  const models = (currency: string, name: string) =>
    `[prices]\ncurrency = "${currency}"\n[prices.models."${name}"]\ninput = 1\ncached = 1\noutput = 1\n`;
  const shown = async (toml: string) =>
    JSON.parse((await runHere(['show', PI, '-j'], { cwd: writeTree({ 'noesis.toml': toml }) })).stdout).cost;
  expect((await shown(models('USD', '*'))).prices).toEqual({ file: 'noesis.toml' });
  expect((await shown(models('USD', 'other'))).prices).toEqual({ stored_by: ['pi'] });
  expect(await shown(models('EUR', 'other'))).toMatchObject({ amount: null, prices: {} });
});

test.each([
  [[0.1, 0.2], '0.3'],
  [[0.009885000000000001], '0.009885'],
  [[4.2e-7, 0.5], '0.50000042'],
  [[0.5, 0], null],
  [[0], null],
])('stored costs %j are %j in all', async (costs, amount) => {
  const time = '2026-01-01T00:00:00Z';
  const answer = (cost: number, index: number) =>
    `{"type":"message","id":"b${index}","parentId":null,"timestamp":"${time}","message":{"role":"assistant","provider":"p","model":"m","stopReason":"stop","content":[],"usage":{"input":1,"cost":{"total":${cost}}}}}\n`;
  const head = `{"type":"session","version":3,"id":"s","timestamp":"${time}","cwd":"/x"}\n`;
  const cwd = writeTree({ 'session.jsonl': head + costs.map(answer).join('') });
  const { cost } = JSON.parse((await runHere(['show', 'session.jsonl', '-j'], { cwd })).stdout);
  expect(cost.amount).toBe(amount);
});

test('the amount of each cost of the samples is null exactly if no model has a price', async () => {
  const costsIn = (value: unknown): Cost[] => {
    if (typeof value !== 'object' || value === null) return [];
    const below = Object.values(value).flatMap(costsIn);
    return 'amount' in value && 'currency' in value ? [value as Cost, ...below] : below;
  };
  const outputs = [
    ['list', SAMPLES],
    ['stats', SAMPLES],
    ['stats', SAMPLES, '--by', 'model'],
    ['show', PI],
    ['read', SHOP],
  ].map(async (args) => costsIn(JSON.parse((await runHere([...args, '-j'])).stdout)));
  const costs = (await Promise.all(outputs)).flat();
  const isUnknown = ({ amount }: Cost) => amount === null;
  expect(costs.some(isUnknown)).toBe(true);
  expect(costs.some((cost) => !isUnknown(cost))).toBe(true);
  for (const cost of costs) {
    if (isUnknown(cost)) expect(cost.unpriced?.length).toBeGreaterThan(0);
    expect(Object.keys(cost.prices).length === 0, JSON.stringify(cost)).toBe(isUnknown(cost));
  }
});

/** An answer of two requests with these inputs, whose usage is their sum. */
function answerOf(...inputs: readonly number[]): string {
  const usage = (input: number) => ({ input_tokens: input, output_tokens: 100 });
  return `${JSON.stringify({
    type: 'assistant',
    uuid: 'u',
    parentUuid: null,
    sessionId: 's',
    timestamp: '2026-09-01T09:00:02Z',
    message: {
      id: 'm',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'done' }],
      stop_reason: 'end_turn',
      usage: {
        ...usage(inputs.reduce((sum, one) => sum + one, 0)),
        output_tokens: 100 * inputs.length,
        iterations: inputs.map((input) => ({ type: 'message', ...usage(input) })),
      },
    },
  })}\n`;
}

test.each([
  ['small requests have the price of small ones, although their sum is large', [117_000, 117_000], 0.705],
  ['each request has the price of its size', [117_000, 217_000], 1.65675],
  ['large requests have the price of large ones', [217_000, 217_000], 2.6085],
])('an answer of several requests: %s', async (_, inputs, amount) => {
  const log = join(writeTree({ 's.jsonl': answerOf(...inputs) }), 's.jsonl');
  for (const command of ['show', 'read', 'stats']) {
    const { cost, usage } = JSON.parse((await runHere([command, log, '-j'])).stdout) as {
      cost?: Cost;
      usage?: { cost: Cost };
    };
    expect([command, Number((usage?.cost ?? cost)?.amount)]).toEqual([command, amount]);
  }
});
