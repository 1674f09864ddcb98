import { FAMILIES, SHARED } from '../findings/catalogue/index.ts';
import type { CatalogueEntry } from '../findings/catalogue-entry.ts';
import type { SharedCode } from '../findings/codes.ts';
import { CLAUDE_CODE, type ClaudeCodeCode } from './claude-code/catalogue.ts';
import { CODEX, type CodexCode } from './codex/catalogue.ts';
import { COORDINATOR, type CoordinatorCode } from './coordinator/catalogue.ts';
import { COPILOT, type CopilotCode } from './copilot/catalogue.ts';
import { EXARCHOS, type ExarchosCode } from './exarchos/catalogue.ts';
import { FISHBOWL, type FishbowlCode } from './fishbowl/catalogue.ts';
import { GENERIC, type GenericCode } from './generic/catalogue.ts';
import { NOESIS, type NoesisCode } from './noesis/catalogue/index.ts';

/**
 * Every code that a finding may carry. It names the types of the dialects one by one, so that whoever knows this type
 * knows what they add to the codes.
 */
export type KnownCode =
  | SharedCode
  | NoesisCode
  | ExarchosCode
  | FishbowlCode
  | CoordinatorCode
  | ClaudeCodeCode
  | CodexCode
  | CopilotCode
  | GenericCode;

type KnownEntry = CatalogueEntry & { readonly code: KnownCode };

// The second page of the registry, which is loaded where findings are looked up: a dialect that has findings of its
// own has its line here too.
const PARTS: readonly (readonly KnownEntry[])[] = [
  SHARED,
  NOESIS,
  EXARCHOS,
  FISHBOWL,
  COORDINATOR,
  CLAUDE_CODE,
  CODEX,
  COPILOT,
  GENERIC,
];

const IN_ORDER: readonly string[] = [...FAMILIES.keys()];

const rankOf = ({ code }: CatalogueEntry): number => IN_ORDER.indexOf(code.slice(0, code.indexOf('/')));

/** Every kind of finding, from the bytes of the log up to what the artifacts say together, family by family. */
export const CATALOGUE: readonly KnownEntry[] = PARTS.flat().sort((a, b) => rankOf(a) - rankOf(b));

const BY_CODE: ReadonlyMap<string, CatalogueEntry> = new Map(CATALOGUE.map((entry) => [entry.code, entry]));

/** What is known about a code. */
export function catalogueEntry(code: string): CatalogueEntry | undefined {
  return BY_CODE.get(code);
}
