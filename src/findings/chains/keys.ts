import { createPublicKey, type KeyObject } from 'node:crypto';
import { jsonIn } from '../../base/json/parse.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { publicKeyIn } from '../../base/keys/ed25519.ts';

/**
 * Bytes in an encoding that profiles may name; undefined for a text that is not in it. Each value has only one text, such as
 * hex in lower case: else a signature could be changed without a difference.
 */
export function decoded(text: string, encoding: 'hex' | 'base64' | 'base64url' = 'hex'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}

/** The length of an Ed25519 public key without a container. */
const RAW_KEY = 32;

/** An Ed25519 public key from its 32 bytes, or from DER. */
export function keyOfBytes(bytes: Buffer): KeyObject | undefined {
  if (bytes.length !== RAW_KEY) return publicKeyIn(bytes);
  return keyOfJwk({ kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') });
}

function keyOfJwk(jwk: JsonObject): KeyObject | undefined {
  try {
    // Only the public part, whatever else the file has.
    const { kty, crv, x } = jwk;
    if (typeof kty !== 'string' || typeof crv !== 'string' || typeof x !== 'string') return undefined;
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The key with an id in a JWK or a set of them. One key fits any id. */
function keyInJwks(set: JsonObject, kid: string | undefined): KeyObject | undefined {
  const keys = (Array.isArray(set['keys']) ? set['keys'] : [set]).filter(isObject);
  const named = keys.find((key) => key['kid'] === kid) ?? (keys.length === 1 ? keys[0] : undefined);
  return named && keyOfJwk(named);
}

/** Whether a file that the user gives has a public or private key, in a form that no secret has. */
export function isKeyFile(file: Uint8Array): boolean {
  const set = jsonIn(Buffer.from(file).toString('utf8').trim());
  return isObject(set) ? 'keys' in set || set['kty'] === 'OKP' : publicKeyIn(file) !== undefined;
}

/** A public key in a file that the user gives: PEM, DER, a JWK or a set of them, or 32 bytes in hex or base64url. */
export function givenPublicKey(file: Uint8Array, kid: string | undefined): KeyObject | undefined {
  const bytes = Buffer.from(file);
  const text = bytes.toString('utf8').trim();
  if (text.startsWith('{')) {
    const set = jsonIn(text);
    return isObject(set) ? keyInJwks(set, kid) : undefined;
  }
  const raw = [decoded(text.toLowerCase(), 'hex'), decoded(text, 'base64url')].find(
    (one) => one?.length === RAW_KEY,
  );
  return raw === undefined ? publicKeyIn(bytes) : keyOfBytes(raw);
}
