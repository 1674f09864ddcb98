import { ARTIFACT } from './artifact.ts';
import { CONSISTENCY } from './consistency.ts';
import { EVENT } from './event.ts';
import { GOVERNANCE } from './governance.ts';
import { MANIFEST } from './manifest.ts';
import { ORDER } from './order.ts';
import { PROJECTION } from './projection.ts';
import { STATE } from './state.ts';

/** The findings for Noēsis episodes. */
export const NOESIS = [
  ...EVENT,
  ...ORDER,
  ...GOVERNANCE,
  ...STATE,
  ...PROJECTION,
  ...MANIFEST,
  ...CONSISTENCY,
  ...ARTIFACT,
] as const;

declare module '../../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof NOESIS)[number]['code'], unknown> {}
}
