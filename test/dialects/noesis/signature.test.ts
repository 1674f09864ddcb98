import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '../../../src/base/json/value.ts';
import { newKeyPair } from '../../../src/base/keys/ed25519.ts';
import { NOESIS } from '../../../src/dialects/noesis/catalogue.ts';
import { pythonJson } from '../../../src/dialects/noesis/event/python-json.ts';
import type { NoesisManifest } from '../../../src/dialects/noesis/seal/manifest-schema.ts';
import {
  checkSignature,
  type KeyRing,
  signatureOf,
  signedBytes,
} from '../../../src/dialects/noesis/seal/signature.ts';
import { severitiesOf } from '../../../src/findings/catalogue-severities.ts';
import { Document } from '../../../src/findings/document.ts';
import { Findings } from '../../../src/findings/findings.ts';
import { DEFAULT_POLICY } from '../../../src/findings/policy.ts';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});

// The test vector of noesis.md §7.
const VECTOR: NoesisManifest = {
  created_at: '2025-01-01T00:00:00+00:00',
  episode_id: 'ep_vec',
  files: [{ kind: 'attachment', name: 'notes/é→.txt', sha256: `sha256:${'0'.repeat(64)}`, size_bytes: 3 }],
  schema_version: 'manifest/1.0',
  signer: null,
};
const SECRET = Buffer.from('secret');
const SIGNED = `{"created_at": "2025-01-01T00:00:00+00:00", "episode_id": "ep_vec", "files": [{"kind": "attachment", "name": "notes/é→.txt", "sha256": "sha256:${'0'.repeat(64)}", "size_bytes": 3}], "schema_version": "manifest/1.0", "signer": null}`;
const HS256 = 'R1v8KAF2_6hIUkA2kRqsBribkQU4gHQ7zkqcQrfTuxM';
const HS512 = 'e_lu3ZKXSrnbiuMf6PzYc7TKyMZvT8l071ERAyj2yMM1LKRDFZU-zeueLE529CpMKU6Dzds4yRKVUeSpDeFmFQ';

const PAIR = newKeyPair();
const keys: KeyRing = (kid) =>
  ({ 'ops-1': SECRET, 'ops-2': Buffer.from('other'), pair: Buffer.from(PAIR.publicKey) })[kid];

/** The findings about a signed manifest. */
function check(
  signature: object | null,
  options: { signer?: string | null; required?: boolean; ring?: KeyRing } = {},
) {
  const { signer = 'ops-1', required = false, ring = keys } = options;
  const manifest = { ...VECTOR, signer, ...(signature && { signature }) } as NoesisManifest;
  const findings = new Findings(DEFAULT_POLICY, severitiesOf(NOESIS));
  const bytes = Buffer.from(JSON.stringify(manifest));
  checkSignature(
    new Document('manifest.json', bytes, manifest as unknown as JsonValue, findings),
    manifest,
    ring,
    required,
  );
  // The secrets of the test vector are short: that is said in test/cli/gate.test.ts.
  return findings
    .conclude()
    .findings.filter(({ code }) => code !== 'manifest/weak-key')
    .map(({ severity, code, path = '', hint }) => `${severity} ${code} ${path}${hint ? ` ${hint}` : ''}`);
}

const by = (value: string, alg = 'HS256', kid = 'ops-1') => ({
  alg,
  kid,
  value,
  ts: '2025-01-01T00:00:00+00:00',
});

describe('the signed bytes', () => {
  test('are those of the test vector', () => {
    expect(signedBytes(VECTOR).toString()).toBe(SIGNED);
  });

  test('leave out signer, signature and every unknown key, and depend on no order or layout', () => {
    const [file] = VECTOR.files;
    const other = {
      signer: 'ops-1',
      unknown: 1,
      signature: by(HS256),
      files: [{ ...file, note: 'x' }],
      schema_version: VECTOR.schema_version,
      episode_id: VECTOR.episode_id,
      created_at: VECTOR.created_at,
    } as unknown as NoesisManifest;
    expect(signedBytes(other).toString()).toBe(SIGNED);
  });

  test('have no member that the manifest does not have', () => {
    const { created_at: _, ...rest } = VECTOR;
    const bare = { ...rest, files: [{ name: 'a', sha256: 'b', size_bytes: 0 }] };
    expect(signedBytes(bare).toString()).toBe(
      '{"episode_id": "ep_vec", "files": [{"name": "a", "sha256": "b", "size_bytes": 0}], "schema_version": "manifest/1.0", "signer": null}',
    );
  });

  test('sort keys by code point, where JavaScript sorts by UTF-16 unit', () => {
    expect(pythonJson({ '\u{1f680}': 1, '\ue000': 2, a: [true, null, 'é'] }, 'utf8')).toBe(
      '{"a":[true,null,"é"],"\ue000":2,"\u{1f680}":1}',
    );
  });
});

describe('the signature', () => {
  test.each([
    ['HS256', HS256],
    ['HS512', HS512],
    ['hs256', HS256],
    ['Hs512', HS512],
  ])('of the test vector by %s', (alg, value) => {
    expect(signatureOf(VECTOR, alg, SECRET)).toBe(value);
    expect(check(by(value, alg))).toEqual([]);
  });

  test.each(['none', 'HS0', 'RS256', '', 'toString', '__proto__'])(
    'has no value for the unknown algorithm %j',
    (alg) => {
      expect(signatureOf(VECTOR, alg, SECRET)).toBeUndefined();
      expect(check(by(HS256, alg))).toEqual(['error manifest/signature signature.alg']);
    },
  );

  test.each([
    ['another text of the same length', HS256.replace('R', 'S')],
    ['padding', `${HS256}=`],
    ['a part', HS256.slice(0, -1)],
    ['nothing', ''],
    ['base64 of the other alphabet', HS256.replace('_', '/')],
    ['the signature by another algorithm', HS512],
  ])('does not fit with %s', (_, value) => {
    expect(check(by(value))).toEqual(['error manifest/signature signature.value']);
  });

  test('is compared in constant time', () => {
    vi.mocked(timingSafeEqual).mockClear();
    check(by(HS256));
    check(by(`x${HS256.slice(1)}`));
    expect(timingSafeEqual).toHaveBeenCalledTimes(2);
  });

  test('does not fit another key', () => {
    expect(check(by(HS256, 'HS256', 'ops-2'), { signer: 'ops-2' })).toEqual([
      'error manifest/signature signature.value',
    ]);
  });

  test('fits by the old key and by the new one, from one ring', () => {
    const rotated = signatureOf(VECTOR, 'HS256', Buffer.from('other')) ?? '';
    expect(check(by(HS256))).toEqual([]);
    expect(check(by(rotated, 'HS256', 'ops-2'), { signer: 'ops-2' })).toEqual([]);
  });

  test('of Ed25519 fits by the public key of the pair, and signs only with the private one', () => {
    const signature = signatureOf(VECTOR, 'Ed25519', Buffer.from(PAIR.privateKey)) ?? '';
    expect(signature).toHaveLength(86);
    for (const alg of ['Ed25519', 'EdDSA'])
      expect(check(by(signature, alg, 'pair'), { signer: 'pair' })).toEqual([]);
    for (const wrong of [`${signature}=`, signature.slice(1), `${signature.slice(0, -4)}AAAA`, ''])
      expect(check(by(wrong, 'Ed25519', 'pair'), { signer: 'pair' })).toEqual([
        'error manifest/signature signature.value',
      ]);
    expect(signatureOf(VECTOR, 'Ed25519', Buffer.from(PAIR.publicKey))).toBeUndefined();
  });

  test('never takes a public key for a secret, nor a secret for a key', () => {
    expect(signatureOf(VECTOR, 'HS256', Buffer.from(PAIR.publicKey))).toBeUndefined();
    const forged = createHmac('sha256', PAIR.publicKey).update(signedBytes(VECTOR)).digest('base64url');
    expect(check(by(forged, 'HS256', 'pair'), { signer: 'pair' })).toEqual([
      'error manifest/signature signature.alg',
    ]);
    expect(check(by(HS256, 'Ed25519'))).toEqual(['error manifest/signature signature.alg']);
  });

  test('is unverified without its key, and the hint names the key if it is safe to copy', () => {
    expect(check(by(HS256, 'HS256', 'ops-9'), { signer: 'ops-9' })).toEqual([
      'warn manifest/unverified-signature signature give the key: noesis verify --key ops-9=FILE',
    ]);
    expect(check(by(HS256, 'HS256', 'a; rm -rf'), { signer: 'a; rm -rf', required: true })).toEqual([
      'error manifest/unverified-signature signature give the key: noesis verify --key KID=FILE',
    ]);
  });
});

describe('the signer', () => {
  test.each([null, 'ops-2', ''])('that is not the key of the signature is an error (%j)', (signer) => {
    expect(check(by(HS256), { signer })).toEqual(['error manifest/signature signer']);
  });

  test('without a signature is an error if one is required', () => {
    expect(check(null, { signer: 'ops-1' })).toEqual(['error manifest/signature signer']);
    expect(check(null, { signer: null })).toEqual([]);
    expect(check(null, { signer: null, required: true })).toEqual(['error manifest/unsigned ']);
  });
});
