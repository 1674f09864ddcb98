import { FAMILIES, SHARED } from '../findings/catalogue/index.ts';
import type { CatalogueEntry } from '../findings/catalogue-entry.ts';
import type { SharedCode } from '../findings/codes.ts';
import { CODEX, type CodexCode } from './codex/catalogue.ts';
import { COORDINATOR, type CoordinatorCode } from './coordinator/catalogue.ts';
import { COPILOT, type CopilotCode } from './copilot/catalogue.ts';
import { EXARCHOS, type ExarchosCode } from './exarchos/catalogue.ts';
import { FISHBOWL, type FishbowlCode } from './fishbowl/catalogue.ts';
import { GENERIC, type GenericCode } from './generic/catalogue.ts';
import { NOESIS, type NoesisCode } from './noesis/catalogue/index.ts';

/**
 * Every finding code. It names the types of the dialects, so that importing this type makes their additions
 * to the codes visible.
 */
export type KnownCode =
  | SharedCode
  | NoesisCode
  | ExarchosCode
  | FishbowlCode
  | CoordinatorCode
  | CodexCode
  | CopilotCode
  | GenericCode;

type KnownEntry = CatalogueEntry & { readonly code: KnownCode };

// The catalogues of the dialects. Separate from the registry, so that they are only loaded to look up
// findings. A dialect with its own findings has its line here.
const PARTS: readonly (readonly KnownEntry[])[] = [
  SHARED,
  NOESIS,
  EXARCHOS,
  FISHBOWL,
  COORDINATOR,
  CODEX,
  COPILOT,
  GENERIC,
];

const IN_ORDER: readonly string[] = [...FAMILIES.keys()];

const rankOf = ({ code }: CatalogueEntry): number => IN_ORDER.indexOf(code.slice(0, code.indexOf('/')));

/** All findings by family, from the bytes of the log to contradictions between artifacts. */
export const CATALOGUE: readonly KnownEntry[] = PARTS.flat().sort((a, b) => rankOf(a) - rankOf(b));

const BY_CODE: ReadonlyMap<string, CatalogueEntry> = new Map(CATALOGUE.map((entry) => [entry.code, entry]));

export function catalogueEntry(code: string): CatalogueEntry | undefined {
  return BY_CODE.get(code);
}
