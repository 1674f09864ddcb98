/** The digests of the algorithms that use a shared secret. */
const DIGESTS: Readonly<Record<string, string>> = { HS256: 'sha256', HS512: 'sha512' };

/** The names of Ed25519 as a signature algorithm (RFC 9864, and RFC 8037 before it). */
const ED25519: readonly string[] = ['ED25519', 'EDDSA'];

export const SECRET_ALGORITHMS: readonly string[] = Object.keys(DIGESTS);

/** The algorithm that uses a key pair. */
export const PAIR_ALGORITHM = 'Ed25519';

/** All algorithms for signing a seal. */
export const ALGORITHMS: readonly string[] = [...SECRET_ALGORITHMS, PAIR_ALGORITHM];

type Algorithm = { readonly kind: 'hmac'; readonly digest: string } | { readonly kind: 'ed25519' };

/** Looks up an algorithm by name, ignoring case; undefined if it is unknown. */
export function algorithmNamed(alg: string): Algorithm | undefined {
  const name = alg.toUpperCase();
  if (ED25519.includes(name)) return { kind: 'ed25519' };
  const digest = Object.hasOwn(DIGESTS, name) ? DIGESTS[name] : undefined;
  return digest === undefined ? undefined : { kind: 'hmac', digest };
}

/**
 * In bytes. A shorter secret could be found by brute force from one signed manifest, so signing refuses it.
 */
export const SHORTEST_SECRET = 16;

/** In bytes. A shorter secret can be found within minutes. */
export const GUESSED_SECRET = 8;
