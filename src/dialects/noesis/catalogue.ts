import { CONSISTENCY } from './agreement/findings.ts';
import { ORDER } from './checkpoint/findings.ts';
import { EVENT } from './event/findings.ts';
import { ARTIFACT } from './files/findings.ts';
import { GOVERNANCE } from './governance/findings.ts';
import { MANIFEST } from './seal/findings.ts';
import { STATE } from './state/findings.ts';
import { PROJECTION } from './state/projection-findings.ts';

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

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof NOESIS)[number]['code'], unknown> {}
}
