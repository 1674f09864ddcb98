/** Secrets for manifest signatures, as plain data that a worker can be given. */
export interface KeySettings {
  /** By key id. */
  readonly byKid: ReadonlyMap<string, Uint8Array>;
  /** By the name of the environment variable that held them. */
  readonly byVariable: ReadonlyMap<string, string>;
}

const PREFIX = 'NOESIS_MANIFEST_KEY_';

/** The name of the environment variable that holds the secret of a key id. */
export function keyVariable(kid: string): string {
  return PREFIX + kid.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** The secrets that an environment holds. */
export function keysInEnvironment(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env))
    if (name.startsWith(PREFIX) && value) found.set(name, value);
  return found;
}

/** Finds the secret of a key id: one that was given by its id, else the environment's. */
export function keyFinder({ byKid, byVariable }: KeySettings): (kid: string) => Uint8Array | undefined {
  return (kid) => {
    const fromEnvironment = byVariable.get(keyVariable(kid));
    return byKid.get(kid) ?? (fromEnvironment === undefined ? undefined : Buffer.from(fromEnvironment));
  };
}
