/** Secrets for manifest signatures, as plain data for workers. */
export interface KeySettings {
  /** By key id. */
  readonly byKid: ReadonlyMap<string, Uint8Array>;
  /** By the name of their environment variable. */
  readonly byVariable: ReadonlyMap<string, string>;
}

const PREFIX = 'NOESIS_MANIFEST_KEY_';

/** The environment variable for the secret of a key id. */
export function keyVariable(kid: string): string {
  return PREFIX + kid.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** The secrets in an environment. */
export function keysInEnvironment(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env))
    if (name.startsWith(PREFIX) && value) found.set(name, value);
  return found;
}

/** Looks up the secret of a key id: first the given ones, then the environment. */
export function keyFinder({ byKid, byVariable }: KeySettings): (kid: string) => Uint8Array | undefined {
  return (kid) => {
    const fromEnvironment = byVariable.get(keyVariable(kid));
    return byKid.get(kid) ?? (fromEnvironment === undefined ? undefined : Buffer.from(fromEnvironment));
  };
}
