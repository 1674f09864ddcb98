import { FAMILIES, SHARED } from '../findings/catalogue/index.ts';
import type { CatalogueEntry } from '../findings/catalogue-entry.ts';
import { COORDINATOR } from './coordinator/catalogue.ts';
import { EXARCHOS } from './exarchos/catalogue.ts';
import { FISHBOWL } from './fishbowl/catalogue.ts';
import { NOESIS } from './noesis/catalogue.ts';
import { CODEX } from './sessions/codex/catalogue.ts';
import { COPILOT } from './sessions/copilot/catalogue.ts';
import { OPENCODE } from './sessions/opencode/catalogue.ts';

/** The catalogues, one entry per dialect that has its own findings. Named in declared types. */
type Parts = readonly [
  typeof SHARED,
  typeof NOESIS,
  typeof EXARCHOS,
  typeof FISHBOWL,
  typeof COORDINATOR,
  typeof CODEX,
  typeof COPILOT,
  typeof OPENCODE,
];

// Separate from the registry, so that they are only loaded to look up findings.
const PARTS: Parts = [SHARED, NOESIS, EXARCHOS, FISHBOWL, COORDINATOR, CODEX, COPILOT, OPENCODE];

/** Every finding code. */
export type KnownCode = Parts[number][number]['code'];

type KnownEntry = CatalogueEntry & { readonly code: KnownCode };

const IN_ORDER: readonly string[] = [...FAMILIES.keys()];

const rankOf = ({ code }: CatalogueEntry): number => IN_ORDER.indexOf(code.slice(0, code.indexOf('/')));

/** All findings by family, from the bytes of the log to contradictions between artifacts. */
export const CATALOGUE: readonly KnownEntry[] = PARTS.flat().sort((a, b) => rankOf(a) - rankOf(b));

const BY_CODE: ReadonlyMap<string, CatalogueEntry> = new Map(CATALOGUE.map((entry) => [entry.code, entry]));

/**
 * Whether a finding can never be in a baseline: damage, signs that something was altered, and what was not verified. A team
 * may accept an old warning, but not a file that differs from the sealed one.
 */
export function isNeverAccepted(code: string): boolean {
  const entry = BY_CODE.get(code);
  return entry?.hard === true || entry?.altered === true;
}

export function catalogueEntry(code: string): CatalogueEntry | undefined {
  return BY_CODE.get(code);
}
