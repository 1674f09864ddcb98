import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VerifyEpisodeOptions } from '../../src/library/index.ts';
import * as noesis from '../../src/library/index.ts';
import { EXAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { tempDir } from '../support/temp.ts';

const legacy = join(EXAMPLES, 'legacy/ep_20251111_021915_752337_6365_s16');
const torn = episodeIn(tempDir(), GOOD);
appendFileSync(torn.log, '{"torn');

/** Options that a caller without types may pass. */
const untyped = (options: object): VerifyEpisodeOptions => options;

describe('the severities of a verification', () => {
  test('change findings, by a map or an object, and by patterns', async () => {
    const usual = await noesis.verifyEpisode(legacy);
    expect(usual.verdict).toBe('warn');
    const rules = { 'event/*': 'off', 'state/links': 'off' } as const;
    for (const severities of [rules, new Map(Object.entries(rules))]) {
      const { verdict, findings } = await noesis.verifyEpisode(legacy, { severities });
      expect(verdict).toBe('ok');
      expect(findings.map(({ code }) => code)).toEqual(['projection/not-derivable']);
    }
  });

  test.each([
    ['lower what no rule may', { 'log/truncated': 'off' }, /is always an error/],
    ['name no finding', { 'log/trunkated': 'off' }, /there is no finding/],
    ['are no severities', { 'event/missing-field': 'warning' }, /is not a severity/],
  ])('are refused if they %s', async (_, severities, message) => {
    for (const target of [torn.dir, legacy])
      await expect(noesis.verifyEpisode(target, untyped({ severities }))).rejects.toMatchObject({
        name: 'ConfigurationError',
        code: 'config-invalid',
        message: expect.stringMatching(message) as unknown,
      });
  });

  test('are refused if a required seal depends on them', async () => {
    const severities = { 'manifest/hash-mismatch': 'off' } as const;
    await expect(noesis.verifyEpisode(torn.dir, { severities, requireSeal: true })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('the options of a verification', () => {
  test('strict: a warning fails, as on the command line', async () => {
    expect((await noesis.verifyEpisode(legacy, { strict: true })).verdict).toBe('fail');
  });

  test.each([-1, 1.5, Number.NaN])('maxFindings: %d is refused', async (maxFindings) => {
    await expect(noesis.verifyEpisode(torn.dir, { maxFindings })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('an unknown option', () => {
  const odd = untyped({ require_seal: true });
  const untypedAppend: object = odd;
  const refused = {
    code: 'usage',
    message: '"require_seal" is not an option',
    hint: expect.stringMatching(/root/),
  };
  const first = async (events: AsyncGenerator<unknown>) => events.next();

  test.each<[string, () => Promise<unknown>]>([
    ['verifyEpisode', () => noesis.verifyEpisode(legacy, odd)],
    ['readEvents', () => noesis.readEvents(legacy, odd)],
    ['iterEvents', () => first(noesis.iterEvents(legacy, odd))],
    ['iterNumberedEvents', () => first(noesis.iterNumberedEvents(legacy, odd))],
    ['followEvents', () => first(noesis.followEvents(legacy, odd))],
    ['readState', () => noesis.readState(legacy, odd)],
    ['listEpisodes', () => noesis.listEpisodes(odd)],
    ['projectEpisode', () => noesis.projectEpisode(legacy, odd)],
    ['diffEpisode', () => noesis.diffEpisode(legacy, odd)],
    ['diffRuns', () => noesis.diffRuns(legacy, legacy, odd)],
    ['openWriter', () => noesis.openWriter(legacy, odd)],
    ['appendEvent', () => noesis.appendEvent(legacy, {}, odd)],
    ['salvageLog', () => noesis.salvageLog(legacy, odd)],
  ])('is refused by %s', async (_, call) => {
    await expect(call()).rejects.toMatchObject(refused);
  });

  test('is refused by the append of a writer', async () => {
    const writer = await noesis.openWriter(join(tempDir(), 'run.jsonl'), { dialect: 'fishbowl' });
    await expect(writer.append({}, untypedAppend)).rejects.toMatchObject({ code: 'usage' });
  });
});

test('an empty key is refused, as anyone can sign with it', async () => {
  const shape = { ...GOOD, signature: { kid: 'ops-1', alg: 'HS256', secret: '' } } as const;
  const forged = episodeIn(tempDir(), shape);
  await expect(noesis.verifyEpisode(forged.dir, { key: () => Buffer.alloc(0) })).rejects.toMatchObject({
    code: 'usage',
    message: 'the key "ops-1" is empty',
  });
});

describe('a function key that gives no bytes is refused', () => {
  const signed = episodeIn(tempDir(), {
    ...GOOD,
    signature: { kid: 'ops-1', alg: 'HS256', secret: 'x'.repeat(32) },
  });

  test.each<[string, unknown, string]>([
    [
      'because it throws',
      () => {
        throw new Error('no such file');
      },
      'the function key failed for the key "ops-1": no such file',
    ],
    [
      'but a promise',
      async () => Buffer.from('x'),
      'the function key returned a promise for the key "ops-1"',
    ],
    ['but null', () => null, 'the function key returned null for the key "ops-1"'],
    ['but an object', () => ({ length: 3 }), 'the function key returned an object for the key "ops-1"'],
    ['but a text', () => 'secret', 'the function key returned a string for the key "ops-1"'],
    ['because it is none', 'secret', 'key is a string: it must be a function'],
  ])('%s', async (_, key, message) => {
    await expect(noesis.verifyEpisode(signed.dir, untyped({ key }))).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message) as unknown,
    });
  });
});

describe('a target that is no string is refused', () => {
  const first = async (events: AsyncGenerator<unknown>) => events.next();
  const bad = (value: unknown) => value as string;

  test.each<[string, (target: string) => Promise<unknown>]>([
    ['verifyEpisode', (target) => noesis.verifyEpisode(target)],
    ['readEvents', (target) => noesis.readEvents(target)],
    ['followEvents', (target) => first(noesis.followEvents(target))],
    ['readState', (target) => noesis.readState(target)],
    ['projectEpisode', (target) => noesis.projectEpisode(target)],
    ['diffRuns', (target) => noesis.diffRuns(legacy, target)],
    ['openWriter', (target) => noesis.openWriter(target)],
    ['appendEvent', (target) => noesis.appendEvent(target, {})],
    ['salvageLog', (target) => noesis.salvageLog(target)],
  ])('by %s', async (_, call) => {
    for (const [target, kind] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [7, 'a number'],
      [new URL('file:///run.jsonl'), 'a URL'],
    ])
      await expect(call(bad(target))).rejects.toMatchObject({
        name: 'UsageError',
        message: `target is ${kind}: it must be a string`,
      });
  });

  test('also a root', async () => {
    await expect(noesis.listEpisodes({ root: bad(7) })).rejects.toMatchObject({
      message: 'root is a number: it must be a string',
    });
  });
});

describe('a number that is none is refused', () => {
  const log = join(tempDir(), 'run.jsonl');
  const append = (options: object) => noesis.appendEvent(log, [], { dialect: 'fishbowl', ...options });

  test.each<[string, () => Promise<unknown>]>([
    ['waitMs', () => append({ waitMs: Number.NaN })],
    ['waitMs', () => append({ waitMs: -1 })],
    ['waitMs', () => append({ waitMs: '5' })],
    ['expectSequence', () => append({ expectSequence: Number.NaN })],
    ['maxCopied', () => noesis.salvageLog(torn.dir, { maxCopied: Number.NaN })],
    ['limit', () => noesis.listEpisodes({ limit: Number.NaN })],
    ['limit', () => noesis.diffRuns(legacy, legacy, { limit: Number.NaN })],
    ['pollMs', () => noesis.followEvents(legacy, { pollMs: Number.NaN }).next()],
  ])('%s', async (name, call) => {
    await expect(call()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(`^${name} is `) as unknown,
    });
  });

  test('a writer refuses it too, and may wait for ever', async () => {
    const writer = await noesis.openWriter(log, { dialect: 'fishbowl' });
    await expect(writer.append([], { waitMs: Number.NaN })).rejects.toMatchObject({ name: 'UsageError' });
    expect((await writer.append([], { waitMs: Infinity })).events).toEqual([]);
  });
});
