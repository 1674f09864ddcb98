import * as fc from 'fast-check';
import type { EpisodeShape } from '../support/simulator/shape.ts';

/** The secrets that signed episodes are checked with, by key id. */
export const SECRETS: Readonly<Record<string, string>> = { 'ops-1': 'first', 'ops.2 → new': 'second' };

const signature = fc.record({
  alg: fc.constantFrom('HS256' as const, 'HS512' as const),
  kid: fc.constantFrom(...Object.keys(SECRETS)),
});

/** Every kind of episode that the simulator makes, in the newest form. */
export const newestShape: fc.Arbitrary<EpisodeShape> = fc
  .record({
    seed: fc.nat(2 ** 31 - 1),
    startedAt: fc
      .date({
        min: new Date('2000-01-01T00:00:00Z'),
        max: new Date('2099-12-31T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
    task: fc.option(
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
      { nil: undefined },
    ),
    acts: fc.nat(6),
    plans: fc.integer({ min: 1, max: 3 }),
    governed: fc.constantFrom('none', 'allow', 'audit', 'veto-enforced', 'veto-audit' as const),
    intuition: fc.boolean(),
    direction: fc.boolean(),
    synthetic: fc.boolean(),
    failures: fc.boolean(),
    resumed: fc.boolean(),
    ending: fc.constantFrom('ok', 'error', 'vetoed', 'aborted', 'paused', 'running' as const),
    sealed: fc.boolean(),
    signature: fc.option(signature, { nil: undefined }),
    verification: fc.constantFrom('none', 'passed', 'failed' as const),
    learnProposals: fc.nat(2),
    prompts: fc.boolean(),
    extraEvents: fc.nat(4),
    unicode: fc.boolean(),
  })
  .map(({ signature: signed, ...shape }) => ({
    ...shape,
    ...(signed && { signature: { ...signed, secret: SECRETS[signed.kid] ?? '' } }),
  })) as fc.Arbitrary<EpisodeShape>;
