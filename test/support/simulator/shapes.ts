import * as fc from 'fast-check';
import type { Json } from './canonical.ts';
import type { EpisodeShape } from './shape.ts';

/** The secrets that signed episodes are checked with, by key id. */
export const SECRETS: Readonly<Record<string, string>> = {
  'ops-1': 'first secret of 24 bytes',
  'ops.2 → new': 'second secret of 25 bytes',
};

const signature = fc.record({
  alg: fc.constantFrom('HS256' as const, 'HS512' as const),
  kid: fc.constantFrom(...Object.keys(SECRETS)),
});

/** Tags of any shape, which the runtime takes. */
const tags = fc.dictionary(
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed()),
  fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed()),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 3 }),
    ),
  })).value,
  { maxKeys: 4 },
);

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
    core: fc.constantFrom('published', 'newest' as const),
    adapter: fc.constantFrom('steps', 'tool' as const),
    acts: fc.nat(6),
    plans: fc.integer({ min: 1, max: 3 }),
    governed: fc.constantFrom('none', 'allow', 'audit', 'failing', 'veto-enforced', 'veto-audit' as const),
    governedEach: fc.boolean(),
    intuition: fc.boolean(),
    direction: fc.boolean(),
    synthetic: fc.boolean(),
    failures: fc.boolean(),
    resumed: fc.constantFrom(false, 'in-process', 'read-back' as const),
    ending: fc.constantFrom('ok', 'error', 'failed-tool', 'vetoed', 'aborted', 'paused', 'running' as const),
    tags: fc.option(tags, { nil: undefined }),
    checkpointAgain: fc.boolean(),
    toolCalls: fc.constantFrom(0, 0, 0, 4),
    leftovers: fc.constantFrom(0, 0, 0, 2),
    skewed: fc.boolean(),
    slow: fc.boolean(),
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
