import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis, SAMPLES } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

const samples = join(SAMPLES, 'noesis');

interface Finding {
  readonly severity: string;
  readonly code: string;
  readonly line?: number;
  readonly path?: string;
  readonly actual?: string;
}

async function findingsOf(...args: string[]): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, stdout } = await noesis(['verify', '-j', ...args]);
  const { episodes } = JSON.parse(stdout) as { episodes: { findings: Finding[] }[] };
  return { code, findings: episodes.flatMap(({ findings }) => findings) };
}

const errorsIn = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'error').map(({ code, line }) => `${code} ${line ?? '-'}`);
const warningsIn = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'warn').map(({ code }) => code);

/** The description of each sample in samples/README.md. */
describe('the samples', () => {
  const real = (id: string) => join(samples, 'real/.noesis/episodes', id);

  test.each(['ep_01JGFWGB80MKZPM3NVKA359B0C', 'ep_adr008_veto', 'ep_01K9RBBMXXRSFWR49SXFGF4SPR'])(
    '%s has no errors, and the doubts of an older runtime',
    async (id) => {
      const { code, findings } = await findingsOf(real(id));
      expect([code, errorsIn(findings)]).toEqual([0, []]);
      expect(findings.filter((finding) => finding.code === 'projection/not-derivable')).toMatchObject([
        { severity: 'info' },
      ]);
      // Older runtimes wrote no ids of these events, and some linked a learn.jsonl that is not there.
      const label = id === 'ep_01JGFWGB80MKZPM3NVKA359B0C' ? ['event/vocabulary'] : [];
      const older = [...label, 'event/missing-field', 'event/missing-field', 'state/links'];
      expect(warningsIn(findings)).toEqual(id === 'ep_adr008_veto' ? [] : older);
    },
  );

  test('an enforced veto led to no act', async () => {
    expect((await noesis(['events', real('ep_adr008_veto'), '-j', '-p', 'act'])).stdout).toBe('');
  });

  test('ep_01JGVETO00000000000000000 has the payload errors of lines 2, 5 and 6, and an unknown step status', async () => {
    const { code, findings } = await findingsOf(real('ep_01JGVETO00000000000000000'));
    expect(code).toBe(1);
    const errors = errorsIn(findings);
    expect([...new Set(errors)].filter((error) => !error.startsWith('state/vocabulary'))).toEqual([
      'event/payload 2',
      'event/payload 5',
      'event/payload 6',
    ]);
    expect(errors.some((error) => error.startsWith('state/vocabulary'))).toBe(true);
  });

  test('ep_20251104_155501_805857_c5f4_s0 has an error on line 2, no state and no seal', async () => {
    const { code, findings } = await findingsOf(real('ep_20251104_155501_805857_c5f4_s0'));
    expect([code, [...new Set(errorsIn(findings))]]).toEqual([1, ['event/payload 2']]);
    expect(warningsIn(findings)).toEqual(expect.arrayContaining(['state/missing', 'seal/missing']));
  });

  test('the two runs of one episode are verified in the same way', async () => {
    const [a, b] = await Promise.all(
      ['run_a', 'run_b'].map((run) => findingsOf(join(samples, 'replay', run))),
    );
    const brief = (findings: readonly Finding[] = []) =>
      findings.map(({ severity, code, line }) => [severity, code, line]);
    expect(brief(a?.findings)).toEqual(brief(b?.findings));
    expect(errorsIn(a?.findings ?? [])).toEqual([]);
  });

  test('meta_success_events.jsonl is corrupt at line 7, column 169, byte 3342', async () => {
    const path = join(samples, 'files/meta_success_events.jsonl');
    const { code, stdout, stderr } = await noesis(['events', path, '-j']);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'log-corrupt', file: path, line: 7, column: 169, byte_start: 3342, byte_end: 3346 },
    });
    const partial = await noesis(['events', path, '-j', '--partial']);
    expect([partial.code, partial.stdout.split('\n').length - 1]).toEqual([1, 6]);
  });

  test.each(['prompts_hash_only.jsonl', 'prompts_full.jsonl'])(
    '%s under this name is not read as a log of events',
    async (name) => {
      const { findings } = await findingsOf(join(samples, 'files', name));
      expect(findings.map(({ code }) => code)).toEqual([]);
    },
  );

  test.each([
    ['prompts_hash_only.jsonl', 0],
    // Only a prompt whose text was kept can be compared with its fingerprint.
    ['prompts_full.jsonl', 2],
  ])('%s is well formed, and %i of its dummy fingerprints do not fit', async (name, misfits) => {
    const dir = join(tempDir(), 'ep_01JGFWGB80MKZPM3NVKA359B0C');
    cpSync(real('ep_01JGFWGB80MKZPM3NVKA359B0C'), dir, { recursive: true });
    copyFileSync(join(samples, 'files', name), join(dir, 'prompts.jsonl'));
    const { findings } = await findingsOf(dir);
    const codes = findings.map(({ code }) => code);
    expect(codes.filter((code) => code === 'artifact/fingerprint')).toHaveLength(misfits);
    expect(codes).not.toContain('artifact/schema');
    expect(codes).not.toContain('artifact/corrupt');
  });

  describe('of the newest form', () => {
    const newest = join(samples, 'newest/.noesis/episodes');

    test('have no errors and no warnings, the signed one with its key', async () => {
      const env = { NOESIS_MANIFEST_KEY_OPS_1: 'sample-secret' };
      const { code, stdout } = await noesis(['verify', newest, '-j', '--strict'], { env });
      const { episodes } = JSON.parse(stdout) as { episodes: { findings: Finding[] }[] };
      const findings = episodes.flatMap((episode) => episode.findings);
      expect([code, errorsIn(findings), warningsIn(findings)]).toEqual([0, [], []]);
      const without = await findingsOf(newest);
      expect(warningsIn(without.findings)).toEqual(['manifest/unverified-signature']);
    });

    test.each([
      'ep_01KXD47RXN7Z58E12E68JBTTEF',
      'ep_01KCPX3DEJZDNW4GCA5WQCYMFS',
      'ep_01K9PABRJV2BRWE853BWE9ZTY4',
    ])('project %s to what it stored', async (id) => {
      const { code, stdout } = await noesis(['project', join(newest, id), '--diff', '-j']);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { equal: true, differences: [], underivable: [] },
      ]);
    });
  });
});
