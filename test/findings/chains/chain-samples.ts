import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mountFile } from '../../../src/find/mount.ts';
import type { ChainOptions } from '../../../src/findings/chains/settings.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/findings/policy.ts';
import type { EpisodeReport } from '../../../src/findings/report.ts';
import { asMounted } from '../../../src/verify/packed-report.ts';
import { verifyTarget } from '../../../src/verify/verify-episode.ts';

export const CHAIN_SAMPLES = fileURLToPath(new URL('../../samples/chains/', import.meta.url));

/** What is known about a sample. */
export interface ChainCase {
  readonly profile: string;
  readonly log: string;
  readonly key: Uint8Array | undefined;
  readonly ok: boolean;
  /** The first error. In a document, the place is the number of the record. */
  readonly first?: { readonly code: string; readonly place: number };
  readonly records: number;
  readonly head: string;
  readonly guards: readonly string[];
  readonly findings: readonly string[];
  readonly also?: Readonly<Record<string, Pick<ChainCase, 'ok' | 'first'>>>;
}

interface Expected {
  readonly profile: string;
  readonly cases: Readonly<
    Record<string, Omit<ChainCase, 'key' | 'log' | 'profile'> & { readonly key?: string }>
  >;
}

/** A key file without the newline at its end. */
const keyIn = (path: string): Uint8Array => {
  const bytes = readFileSync(path);
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
};

/** All samples. */
export const CHAIN_CASES: readonly ChainCase[] = readdirSync(CHAIN_SAMPLES).flatMap((folder) => {
  const file = join(CHAIN_SAMPLES, folder, 'expected.json');
  if (!existsSync(file)) return [];
  const { profile, cases } = JSON.parse(readFileSync(file, 'utf8')) as Expected;
  return Object.entries(cases).map(([name, { key, ...rest }]) => ({
    ...rest,
    profile,
    log: join(CHAIN_SAMPLES, folder, name),
    key: key === undefined ? undefined : keyIn(join(CHAIN_SAMPLES, folder, key)),
  }));
});

export interface ChainVerification extends ChainOptions {
  readonly key?: Uint8Array | undefined;
  readonly policy?: Policy;
}

/** Verifies a log or a document as the command does. */
export async function verifyChained(
  log: string,
  { key, policy = DEFAULT_POLICY, ...chain }: ChainVerification = {},
): Promise<EpisodeReport> {
  const options = { policy, key: (kid: string) => (kid === '' ? key : undefined), chain };
  const episode = { name: basename(log), log, dir: undefined };
  const mount = await mountFile(episode);
  if (mount === undefined) return verifyTarget(episode, options);
  try {
    const [opened = episode] = mount.episodes;
    return asMounted(await verifyTarget(opened, options), mount, options);
  } finally {
    mount.dispose();
  }
}

export const shortName = (log: string): string =>
  join(basename(dirname(dirname(log))), basename(dirname(log)), basename(log));
