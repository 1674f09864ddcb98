import type { CatalogueEntry } from '../catalogue-entry.ts';
import { ARTIFACT } from './artifact.ts';
import { CONSISTENCY } from './consistency.ts';
import { COORDINATOR } from './coordinator.ts';
import { EVENT } from './event.ts';
import { EXARCHOS } from './exarchos.ts';
import { FISHBOWL } from './fishbowl.ts';
import { GOVERNANCE } from './governance.ts';
import { LINEAGE } from './lineage.ts';
import { LOG } from './log.ts';
import { MANIFEST } from './manifest.ts';
import { ORDER } from './order.ts';
import { PROJECTION } from './projection.ts';
import { SEQUENCE } from './sequence.ts';
import { STATE } from './state.ts';
import { VERIFY } from './verify.ts';

const ENTRIES = [
  ...LOG,
  ...EVENT,
  ...LINEAGE,
  ...ORDER,
  ...GOVERNANCE,
  ...STATE,
  ...PROJECTION,
  ...MANIFEST,
  ...CONSISTENCY,
  ...ARTIFACT,
  ...SEQUENCE,
  ...EXARCHOS,
  ...FISHBOWL,
  ...COORDINATOR,
  ...VERIFY,
] as const;

/** Every code that a finding may carry. */
export type FindingCode = (typeof ENTRIES)[number]['code'];

/** Every kind of finding, from the bytes of the log up to what the artifacts say together. */
export const CATALOGUE: readonly (CatalogueEntry & { readonly code: FindingCode })[] = ENTRIES;
