/** The digests of the algorithms that sign with a shared secret. */
const DIGESTS: Readonly<Record<string, string>> = { HS256: 'sha256', HS512: 'sha512' };

/** The names of Ed25519 as an algorithm of signatures (RFC 9864, and RFC 8037 before it). */
const ED25519: readonly string[] = ['ED25519', 'EDDSA'];

/** By what a shared secret signs. */
export const SECRET_ALGORITHMS: readonly string[] = Object.keys(DIGESTS);

/** By what a key pair signs. */
export const PAIR_ALGORITHM = 'Ed25519';

/** Every algorithm that a seal can be signed by. */
export const ALGORITHMS: readonly string[] = [...SECRET_ALGORITHMS, PAIR_ALGORITHM];

/** What a signature is made or checked with, as its algorithm says. */
export type Algorithm = { readonly kind: 'hmac'; readonly digest: string } | { readonly kind: 'ed25519' };

/** The algorithm of a name, in capitals or not; undefined for one that is not known. */
export function algorithmNamed(alg: string): Algorithm | undefined {
  const name = alg.toUpperCase();
  if (ED25519.includes(name)) return { kind: 'ed25519' };
  const digest = Object.hasOwn(DIGESTS, name) ? DIGESTS[name] : undefined;
  return digest === undefined ? undefined : { kind: 'hmac', digest };
}

/** Nothing is signed with a shorter secret, in bytes: anyone who has one signed manifest could find it by trying. */
export const SHORTEST_SECRET = 16;

/** A shorter secret is found within minutes, in bytes. */
export const GUESSED_SECRET = 8;
