import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonPath } from '../../../base/json/path.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import {
  ALGORITHMS,
  algorithmNamed,
  GUESSED_SECRET,
  SHORTEST_SECRET,
} from '../../../base/keys/algorithms.ts';
import { isSignedBy, privateKeyIn, publicKeyIn, sign } from '../../../base/keys/ed25519.ts';
import { hasPairKey } from '../../../base/keys/key-pair-marks.ts';
import type { Document } from '../../../findings/document.ts';
import { pythonJson, SPACED } from '../event/python-json.ts';
import { manifestSchema, type NoesisManifest } from './manifest-schema.ts';
/** Looks up the key for a key id: a shared secret, or an Ed25519 key in PEM; undefined if unknown. */
export type KeyRing = (kid: string) => Uint8Array | undefined;

/**
 * The bytes that a manifest's signature covers (noesis.md §7): its known fields in canonical form, without
 * the signature and with a null signer. The signer's name, the signature's own fields and unknown keys are
 * not covered.
 */
export function signedBytes(manifest: NoesisManifest): Buffer {
  const files = manifest.files.map(({ kind, name, sha256, size_bytes }) => ({
    ...(kind !== undefined && { kind }),
    name,
    sha256,
    size_bytes,
  }));
  const { created_at, episode_id, schema_version } = manifest;
  const covered: JsonValue = {
    ...(created_at !== undefined && { created_at }),
    episode_id,
    files: files as unknown as JsonValue[],
    schema_version,
    signer: null,
  };
  return Buffer.from(pythonJson(covered, 'utf8', SPACED));
}

function hmacOf(manifest: NoesisManifest, digest: string, key: Uint8Array): string {
  return createHmac(digest, key).update(signedBytes(manifest)).digest('base64url');
}

/**
 * Signs a manifest in the runtime's form, base64url without padding. `key` is a shared secret, or an Ed25519
 * private key in PEM. Undefined for an unknown algorithm or an unsuitable key.
 */
export function signatureOf(manifest: NoesisManifest, alg: string, key: Uint8Array): string | undefined {
  const algorithm = algorithmNamed(alg);
  if (algorithm?.kind === 'ed25519') {
    const privateKey = privateKeyIn(key);
    return privateKey && sign(signedBytes(manifest), privateKey).toString('base64url');
  }
  // A public key must never be used as an HMAC secret.
  if (algorithm === undefined || hasPairKey(key)) return undefined;
  return hmacOf(manifest, algorithm.digest, key);
}

function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The signature does not cover the signer, but both must agree. */
function checkSigner(document: Document, { signer, signature }: NoesisManifest): void {
  const expected = signature?.kid ?? null;
  if (signer === expected) return;
  const message = signature
    ? `signer is ${JSON.stringify(signer)}, but the manifest was signed with ${JSON.stringify(expected)}`
    : `signer is ${JSON.stringify(signer)}, and the manifest has no signature: it was removed`;
  document.at({ code: 'manifest/signature', message, path: ['signer'] });
}

/** Checks a manifest's signature with the key it names. Returns whether it is valid. */
export function checkSignature(
  document: Document,
  manifest: NoesisManifest,
  keys: KeyRing,
  required: boolean,
): boolean {
  const { signature } = manifest;
  checkSigner(document, manifest);
  if (!signature) {
    if (required) document.at({ code: 'manifest/unsigned', message: 'the manifest has no signature' });
    return false;
  }
  const { alg, kid, value } = signature;
  const secret = keys(kid);
  const path = ['signature'];
  if (secret === undefined) {
    const message = `signed with key ${JSON.stringify(kid)}, which was not given: the signature was not checked`;
    const hint = `give the key: noesis verify --key ${inCommand(kid)}=FILE`;
    document.at({
      code: 'manifest/unverified-signature',
      message,
      path,
      hint,
      ...(required && { severity: 'error' as const }),
    });
    return false;
  }
  const wrong = faultOf(manifest, { alg, kid, value }, secret);
  if (wrong === undefined) {
    checkUncovered(document, manifest);
    checkStrength(document, secret);
  } else document.at({ code: 'manifest/signature', message: wrong.message, path: [...path, wrong.member] });
  return wrong === undefined;
}

/** Anyone with a signed manifest can find a weak secret by brute force. */
function checkStrength(document: Document, secret: Uint8Array): void {
  const bytes = secret.length;
  if (bytes >= SHORTEST_SECRET || hasPairKey(secret)) return;
  const message = `the signature is valid, but its key has only ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}: it can be guessed`;
  const severity = bytes < GUESSED_SECRET ? 'warn' : 'info';
  document.at({ code: 'manifest/weak-key', severity, message, path: ['signature'] });
}

function isValidEd25519(manifest: NoesisManifest, value: string, key: Uint8Array): boolean {
  const publicKey = publicKeyIn(key);
  const signature = Buffer.from(value, 'base64url');
  // Node decodes base64 leniently, so a different text could pass as the signature.
  return (
    publicKey !== undefined &&
    signature.toString('base64url') === value &&
    isSignedBy(signedBytes(manifest), signature, publicKey)
  );
}

/** The fault of a signature and the member that has it; undefined if the signature is valid. */
function faultOf(
  manifest: NoesisManifest,
  { alg, kid, value }: { readonly alg: string; readonly kid: string; readonly value: string },
  key: Uint8Array,
): { readonly member: 'alg' | 'value'; readonly message: string } | undefined {
  const [algorithm, shown] = [algorithmNamed(alg), JSON.stringify(kid)];
  if (algorithm === undefined) {
    const message = `the signature names the algorithm ${JSON.stringify(alg)}; noesis knows ${ALGORITHMS.join(', ')}`;
    return { member: 'alg', message };
  }
  // A manifest names its algorithm, which must fit the kind of key. Otherwise an attacker could use a public key as the
  // secret.
  if ((algorithm.kind === 'ed25519') !== hasPairKey(key)) {
    const is = hasPairKey(key)
      ? 'a key pair, which only signs with Ed25519'
      : 'a shared secret, which does not sign with Ed25519';
    return {
      member: 'alg',
      message: `the signature names the algorithm ${JSON.stringify(alg)}, but key ${shown} is ${is}`,
    };
  }
  const isValid =
    algorithm.kind === 'ed25519'
      ? isValidEd25519(manifest, value, key)
      : equalInConstantTime(hmacOf(manifest, algorithm.digest, key), value);
  if (isValid) return undefined;
  return {
    member: 'value',
    message: `the signature does not match the manifest and key ${shown}: one of them was changed`,
  };
}

/** The members of a manifest's entries that the signature covers. */
const COVERED_OF_FILE: readonly string[] = ['kind', 'name', 'sha256', 'size_bytes'];

/** The members of a signature that runtimes write. `ts` and `ctx` are not covered either. */
const MEMBERS_OF_SIGNATURE: readonly string[] = ['alg', 'ctx', 'kid', 'ts', 'value'];

/** Reports unknown members. The signature does not cover them, so anybody may have added them. */
function checkUncovered(document: Document, manifest: NoesisManifest): void {
  const say = (path: JsonPath, name: string) => {
    const message = `${JSON.stringify(name)} is not a member of a manifest: the signature does not cover it`;
    document.at({ code: 'manifest/uncovered', message, path: [...path, name] });
  };
  for (const name of Object.keys(manifest)) if (!Object.hasOwn(manifestSchema.shape, name)) say([], name);
  for (const [index, entry] of manifest.files.entries())
    for (const name of Object.keys(entry)) if (!COVERED_OF_FILE.includes(name)) say(['files', index], name);
  for (const name of Object.keys(manifest.signature ?? {}))
    if (!MEMBERS_OF_SIGNATURE.includes(name)) say(['signature'], name);
}

/** Quotes a key id for a command that users copy. */
function inCommand(kid: string): string {
  return /^[\w.-]+$/.test(kid) ? kid : 'KID';
}
