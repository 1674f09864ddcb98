import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { tinyEpisode } from '../findings/tiny-episode.ts';
import { type Damage, damagedBytes, faultOfLog, Patient } from './damage.ts';

const SIGNATURE = { alg: 'HS256', kid: 'ops-1', secret: 'a secret for damage' } as const;
const KEYS = { key: (kid: string) => (kid === 'ops-1' ? Buffer.from(SIGNATURE.secret) : undefined) };

const mustFail = ({ verdict }: EpisodeReport) =>
  verdict === 'fail' ? undefined : `the verdict is ${verdict}`;

/** The contents of a manifest that a check covers, without layout and uncovered fields. */
function meaningOf(bytes: Buffer, signed: boolean): unknown {
  const { created_at, episode_id, files, schema_version, signer, signature } = JSON.parse(bytes.toString());
  const bare = files.map(({ name, sha256, size_bytes, kind }: Record<string, unknown>) => [
    name,
    sha256,
    size_bytes,
    signed ? kind : null,
  ]);
  const said = { episode_id, files: bare, schema_version, signer };
  return signed ? { ...said, created_at, value: signature?.value, kid: signature?.kid } : said;
}

/** A changed manifest must fail, unless only its layout or an uncovered field has changed. */
function faultOfManifest(whole: Buffer, signed: boolean) {
  const meaning = JSON.stringify(meaningOf(whole, signed));
  return (report: EpisodeReport, { bytes }: Damage): string | undefined => {
    try {
      if (JSON.stringify(meaningOf(bytes, signed)) === meaning) return undefined;
    } catch {
      // No JSON, or no manifest: it must fail.
    }
    return mustFail(report);
  };
}

describe('a sealed episode', () => {
  const patient = new Patient(tinyEpisode('sealed'));
  const names = [...patient.files.keys()].filter((name) => !['events.jsonl', 'manifest.json'].includes(name));

  test('is complete', async () => {
    expect((await patient.verify()).findings).toEqual([]);
    expect(names.sort()).toEqual(['final.json', 'learn.jsonl', 'state.json', 'summary.json']);
  });

  test.each(names)('fails with any damage to %s', { timeout: 600_000 }, async (name) => {
    const { tried, wrong } = await patient.endure(name, mustFail);
    expect(wrong).toEqual([]);
    expect(tried).toBe(5 * damagedBytes(patient.bytes(name)).length + 1);
  });

  test('fails without any one of its files', async () => {
    for (const [name, bytes] of patient.files) {
      rmSync(`${patient.dir}/${name}`);
      expect((await patient.verify()).verdict, name).toBe('fail');
      writeFileSync(`${patient.dir}/${name}`, bytes);
    }
  });

  test('fails for any change of its manifest', { timeout: 600_000 }, async () => {
    const { wrong } = await patient.endure(
      'manifest.json',
      faultOfManifest(patient.bytes('manifest.json'), false),
    );
    expect(wrong).toEqual([]);
  });
});

describe('a signed manifest', () => {
  const patient = new Patient(tinyEpisode(SIGNATURE), KEYS);

  test('fails for any change to the signed bytes, or to the signer', { timeout: 600_000 }, async () => {
    expect((await patient.verify()).findings).toEqual([]);
    const whole = patient.bytes('manifest.json');
    expect((await patient.endure('manifest.json', faultOfManifest(whole, true))).wrong).toEqual([]);
  });
});

describe('an unsealed episode', () => {
  const patient = new Patient(tinyEpisode('running'));

  test('names the right line of a damaged log, and fails', { timeout: 600_000 }, async () => {
    const { wrong } = await patient.endure('events.jsonl', (report, damage) => {
      const fault = faultOfLog(report, damage);
      const bad = report.findings.some(
        ({ code, severity }) => code.startsWith('log/') && severity === 'error',
      );
      return fault ?? (bad ? mustFail(report) : undefined);
    });
    expect(wrong).toEqual([]);
  });

  test('never crashes over a damaged state', { timeout: 600_000 }, async () => {
    const { wrong } = await patient.endure('state.json', (report, { bytes }) => {
      try {
        JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
        return undefined;
      } catch {
        return report.findings.some(({ code }) => code === 'state/invalid-json') ? undefined : 'not reported';
      }
    });
    expect(wrong).toEqual([]);
  });
});
