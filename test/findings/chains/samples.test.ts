import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Profile, profileSchema } from '../../../src/findings/chains/profile.ts';
import { PROFILES } from '../../../src/findings/chains/profiles.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { CHAIN_CASES, type ChainCase, shortName, verifyChained } from './chain-samples.ts';

const errorsOf = (findings: readonly Finding[]) => findings.filter(({ severity }) => severity === 'error');

/** The number of the record on a line. In a document, a record has several lines. */
function recordOn(line: number, { log }: ChainCase): number {
  if (!log.endsWith('.json')) return line;
  const text = readFileSync(log, 'utf8');
  const indent = text.startsWith('[') ? '  ' : '    ';
  return text
    .split('\n')
    .slice(0, line)
    .filter((one) => one === `${indent}{`).length;
}

describe('the built-in profiles', () => {
  it.each(Object.entries(PROFILES))('%s fits the schema of [chains.NAME]', (_, profile) => {
    expect(profileSchema.safeParse(profile).error).toBeUndefined();
  });
});

describe('the samples of programs', () => {
  for (const sample of CHAIN_CASES) {
    const { log, key, ok, first, records, head, guards } = sample;
    const chains = [[sample.profile, { ok, first }] as const, ...Object.entries(sample.also ?? {})];

    it.each(chains)(`${shortName(log)} has the expected verdict as %s`, async (name, expected) => {
      const { findings, chains: found, level, dialect } = await verifyChained(log, { key, name });
      const errors = errorsOf(findings);
      if (expected.ok) expect(errors).toEqual([]);
      else {
        const { code = '', place = 0 } = expected.first ?? {};
        expect(errors.map((finding) => [finding.code, recordOn(finding.line ?? 0, sample)])).toEqual([
          [code, place],
        ]);
        expect(level).toBe('readable');
      }
      const { family = name }: Profile = PROFILES[name as keyof typeof PROFILES];
      expect(dialect).toBe(family);
      if (name !== sample.profile) return;
      const moved = ok || first?.code !== 'chain/broken-link';
      expect(found).toMatchObject([
        {
          name,
          records,
          ...(moved && { head }),
          guards: guards.map((one) => (one === 'seal' ? 'end' : one)),
        },
      ]);
    });

    it(`${shortName(log)} is recognised by its records`, async () => {
      const { chains: found = [], verdict } = await verifyChained(log, { key });
      expect(found.map(({ name }) => name)).toContain(sample.profile);
      expect(verdict === 'fail').toBe(!ok);
    });
  }
});
