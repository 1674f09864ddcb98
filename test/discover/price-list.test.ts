import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calcPrice, type Provider, waitForUpdate } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Charge, SIZES, sizeOf } from '../../src/dialects/kit/charges.ts';
import { type Cost, costCell, costOf, costText } from '../../src/dialects/kit/prices.ts';
import { inputTokens, NO_TOKENS, type Tokens } from '../../src/dialects/kit/tokens.ts';
import { PRICE_LIST, priceList } from '../../src/find/price-list.ts';
import { findPrices } from '../../src/find/prices.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const charge = (model: string, tokens: Partial<Tokens>, day?: string): Charge => {
  const all = { ...NO_TOKENS, ...tokens };
  return { model, day, above: sizeOf(all, true), tokens: all };
};

const prices = { currency: 'USD', of: priceList() };

const amountOf = (...charges: Charge[]): string | null => costOf(charges, prices).amount;

test('the date is that of the version which is installed', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const json = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
  expect(json('node_modules/@pydantic/genai-prices/package.json')['version']).toBe(PRICE_LIST.version);
  expect(json('package.json')['devDependencies']).toMatchObject({
    '@pydantic/genai-prices': PRICE_LIST.version,
  });
});

// Each sum is written as tokens in thousands times dollars per million, which gives thousandths of a dollar.
test('writes that a cache keeps for an hour cost more than those for five minutes', () => {
  // 10 × 5 + 200 × 0.5 + 30 × 6.25 + 20 × 10 + 4 × 25
  const used = { input: 10_000, cached: 200_000, cache_write: 50_000, cache_write_1h: 20_000, output: 4_000 };
  expect(amountOf(charge('claude-opus-4-8', used))).toBe('0.6375');
  // 10 × 1 + 200 × 0.1 + 30 × 1.25 + 20 × 2 + 4 × 5
  expect(amountOf(charge('claude-haiku-4-5-20251001', used))).toBe('0.1275');
});

test('a tier counts for each request, not for the sum of a run', () => {
  // 100 × 3 + 20 × 6 + 10 × 15, and the same again
  const small = { input: 100_000, cache_write: 20_000, cache_write_1h: 20_000, output: 10_000 };
  expect(amountOf(charge('claude-sonnet-4-5', small), charge('claude-sonnet-4-5', small))).toBe('1.14');
  // 180 × 6 + 20.001 × 12 + 10 × 22.5
  const large = { input: 180_000, cache_write: 20_001, cache_write_1h: 20_001, output: 10_000 };
  expect(amountOf(charge('claude-sonnet-4-5', large))).toBe('1.545012');
  // 200 × 2.5 + 1 × 0.25 + 1 × 15
  const long = { input: 200_000, cached: 1_000, output: 1_000 };
  expect(amountOf(charge('gemini-2.5-pro', long))).toBe('0.51525');
  // 200 × 1.25 + 1 × 10: exactly the size is not above it
  expect(amountOf(charge('gemini-2.5-pro', { input: 200_000, output: 1_000 }))).toBe('0.26');
});

test('a price is that of the day', () => {
  const used = { input: 1_000_000 };
  expect(amountOf(charge('o3', { ...used, input: 100_000 }, '2025-06-09'))).toBe('1');
  expect(amountOf(charge('o3', { ...used, input: 100_000 }, '2025-06-10'))).toBe('0.2');
  expect(amountOf(charge('o3', { ...used, input: 100_000 }))).toBe('0.2');
});

test('the sum of requests of unknown size is at least that of small ones, and says so', () => {
  const used: Charge = { model: 'gemini-2.5-pro', tokens: { ...NO_TOKENS, input: 400_000 } };
  const cost = costOf([used], prices);
  expect(cost).toMatchObject({ amount: '0.5', at_least: { 'gemini-2.5-pro': expect.any(String) } });
  expect(costText(cost)).toBe(
    'at least 0.50 USD (prices of 2026-09-23); gemini-2.5-pro: the log does not say how large its requests were',
  );
  expect(costCell(cost)).toBe('≥ 0.50 USD');
  // Without tiers, the size does not matter.
  expect(costOf([{ ...used, model: 'claude-opus-4-8' }], prices).at_least).toBeUndefined();
});

test('a price that depends on the time of the day is a lower limit', () => {
  const cost = costOf([charge('deepseek-chat', { input: 1_000_000 }, '2026-01-01')], prices);
  expect(cost.amount).toBe('0.135');
  expect(costText(cost)).toContain('deepseek-chat: it costs more at some times of the day');
});

test.each([
  'mock-model',
  'claude-opus-99',
  'kiln/claude-opus-4-8',
  'openai/claude-opus-4-8',
  '/gpt-5',
  'gpt-5/',
  '',
  'a'.repeat(100_000),
  `claude-${'opus-'.repeat(10_000)}`,
])('no price is guessed for %.40s', (model) => {
  const cost = costOf([charge(model, { input: 1 })], prices);
  expect([cost.unpriced, cost.amount, costCell(cost)]).toEqual([[model], null, 'no price']);
});

test('a provider before the model is the one whose prices count', () => {
  const used = { input: 1_000_000 };
  expect(amountOf(charge('anthropic/claude-opus-4-8', used))).toBe('5');
  expect(amountOf(charge('openrouter/openai/gpt-5', { input: 100_000 }))).toBe('0.125');
});

/** Every model of the list with a name that leads to it. */
async function allModels(): Promise<(readonly [provider: Provider, name: string])[]> {
  const providers = (await waitForUpdate()) ?? [];
  return providers.flatMap((provider) => provider.models.map(({ id }) => [provider, id] as const));
}

test('sizes of requests are kept apart wherever a price of the list changes', async () => {
  const starts = new Set<number>();
  for (const { models } of (await waitForUpdate()) ?? [])
    for (const { prices: given } of models)
      for (const price of Array.isArray(given) ? given.map((one) => one.prices) : [given])
        for (const one of Object.values(price))
          if (typeof one === 'object') for (const { start } of one.tiers) starts.add(start);
  expect([...starts].sort((a, b) => a - b)).toEqual(SIZES);
});

test('every cost is the one that the list computes', async () => {
  const models = await allModels();
  const count = fc.nat({ max: 700_000 });
  const used = fc.record({
    input: count,
    cached: count,
    cache_write: count,
    kept: fc.nat(100),
    output: count,
  });
  const day = fc.integer({ min: 0, max: 900 }).map((days) => new Date(Date.UTC(2024, 6, 1 + days)));
  let compared = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      used,
      day,
      ([{ id: providerId }, name], { kept, ...given }, at) => {
        const cache_write_1h = Math.floor((given.cache_write * kept) / 100);
        const tokens = { ...NO_TOKENS, ...given, ...(cache_write_1h > 0 && { cache_write_1h }) };
        const used = {
          input_tokens: inputTokens(tokens),
          cache_read_tokens: tokens.cached,
          cache_write_tokens: tokens.cache_write,
          cache_write_1h_tokens: cache_write_1h,
          output_tokens: tokens.output,
        };
        const theirs = calcPrice(used, name, { providerId, timestamp: at });
        const model = `${providerId}/${name}`;
        const ours = costOf([charge(model, tokens, at.toISOString().slice(0, 10))], prices);
        if (ours.unpriced || ours.at_least || theirs === null) return;
        const { requests_kcount: perRequest = 0 } = theirs.model_price;
        if (perRequest !== 0 || Object.keys(theirs.model_price).some((key) => /chars|_hours/.test(key)))
          return;
        compared += 1;
        expect(Number(ours.amount)).toBeCloseTo(theirs.total_price, 9);
      },
    ),
    { numRuns: 3_000 },
  );
  expect(compared).toBeGreaterThan(1_000);
});

test('the configuration counts before the list, which only counts for its own currency', async () => {
  const own = (currency: string) =>
    `[prices]\ncurrency = "${currency}"\n[prices.models."claude-*"]\ninput = 7\noutput = 7\n`;
  const of = async (toml: Record<string, string>): Promise<Cost> => {
    const found = await (await findPrices({ cwd: writeTree(toml) }))(['claude-opus-4-8', 'gpt-5']);
    if (found === undefined) throw new Error('there are no prices');
    return costOf([charge('claude-opus-4-8', { input: 1e6 }), charge('gpt-5', { input: 100_000 })], found);
  };
  const usd = await of({ 'noesis.toml': own('USD') });
  expect(usd).toEqual({
    amount: '7.125',
    currency: 'USD',
    prices: { file: 'noesis.toml', list: '2026-09-23' },
  });
  expect(costText(usd)).toBe('7.13 USD (prices of noesis.toml and 2026-09-23)');
  expect(await of({ '.noesis.toml': own('EUR') })).toEqual({
    amount: '7',
    currency: 'EUR',
    prices: { file: '.noesis.toml' },
    unpriced: ['gpt-5'],
  });
  const { amount } = await of({});
  expect(amount).toBe('5.125');
  expect(await (await findPrices({ cwd: tempDir() }))([])).toBeUndefined();
});

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
const PROJECTS = join(SAMPLES, 'claude-code/projects');

const run = async (...args: string[]) => (await runHere(args, { cwd: tempDir() })).stdout;
const json = async (...args: string[]) => JSON.parse(await run(...args, '-j'));

test('a cost needs no configuration, and is the same in every command', async () => {
  const { cost } = await json('show', SHOP);
  expect(cost).toMatchObject({ currency: 'USD', prices: { list: PRICE_LIST.date } });
  expect(Number(cost.amount)).toBeGreaterThan(0);
  expect((await json('read', SHOP)).cost).toEqual(cost);
  expect((await json('stats', SHOP)).cost).toEqual(cost);
  expect((await json('list', SHOP))[0].cost).toEqual(cost);
  for (const command of ['show', 'read', 'stats']) expect(await run(command, SHOP)).toContain(costText(cost));
  expect(await run('diff', SHOP, SHOP)).not.toContain('charges');
  for (const command of ['show', 'read', 'stats', 'list'])
    expect(await run(command, SHOP, '-j')).not.toContain('"charges"');
});

test('list sorts by cost, and says of which day the prices are', async () => {
  const costs = (await json('list', PROJECTS, '--sort', 'cost')).map((one: { cost?: Cost }) =>
    Number(one.cost?.amount ?? -1),
  );
  expect(costs).toEqual(costs.toSorted((a: number, b: number) => b - a));
  const { stdout, stderr } = await runHere(['list', PROJECTS, '--sort', 'cost'], { cwd: tempDir() });
  expect(stdout).toContain('COST');
  expect(stderr).toContain(`prices of ${PRICE_LIST.date}`);
  expect(await run('list', PROJECTS)).not.toContain('COST');
});

test('the costs of turns add up to that of the session', async () => {
  const all = await json('list', PROJECTS);
  let sessions = 0;
  for (const { path } of all as readonly { path: string }[]) {
    const story = await json('read', path);
    if (story.subagent_logs !== undefined || story.turns.every((turn: { cost?: Cost }) => !turn.cost))
      continue;
    sessions += 1;
    const sum = story.turns.reduce(
      (total: number, { cost }: { cost?: Cost }) => total + Number(cost?.amount ?? 0),
      0,
    );
    expect([path, sum]).toEqual([path, expect.closeTo(Number(story.cost.amount), 12)]);
  }
  expect(sessions).toBeGreaterThan(5);
});
