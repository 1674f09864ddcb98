import type { Findings } from '../../../findings/findings.ts';
import type { Policy } from '../../../findings/policy.ts';
import type { NoesisManifest } from '../schema/manifest.ts';
import { FINAL_FILE, MANIFEST_FILE } from './names.ts';

/** The parts of an episode's seal that exist. */
export interface SealMarkers {
  readonly hasFinal: boolean;
  readonly hasManifest: boolean;
  /** The manifest, if it is valid. */
  readonly manifest: NoesisManifest | undefined;
  /** The log has a terminate event. */
  readonly ended: boolean;
  /** A writer is active right now. */
  readonly open: boolean;
  readonly policy: Policy;
  readonly findings: Findings;
}

/** Checks that a sealed episode has final.json and a manifest that lists it (noesis.md §8.5). */
export function checkSealMarkers({
  hasFinal,
  hasManifest,
  manifest,
  ended,
  open,
  policy,
  findings,
}: SealMarkers): void {
  const { requireSeal, requireSignature } = policy;
  const awaited = open && !requireSeal && !(hasFinal && hasManifest);
  if (awaited) {
    const message = 'the episode is being written: what it lacks may come yet';
    findings.report({ code: 'seal/open', message, file: MANIFEST_FILE });
  } else if (!hasFinal && (!hasManifest || requireSeal)) {
    const message = hasManifest
      ? `there is no ${FINAL_FILE}: a manifest alone seals nothing`
      : `neither ${FINAL_FILE} nor ${MANIFEST_FILE}: nothing says that this trace is complete and unchanged`;
    const severity = requireSeal ? 'error' : ended ? 'warn' : 'info';
    findings.report({ code: 'seal/missing', severity, message, file: MANIFEST_FILE });
  }
  if (hasFinal && !hasManifest && !awaited) {
    const message = `${FINAL_FILE} says that the episode is sealed, and there is no ${MANIFEST_FILE}`;
    findings.report({ code: 'seal/incomplete', message, file: MANIFEST_FILE });
  } else if (hasFinal && manifest && !manifest.files.some(({ name }) => name === FINAL_FILE)) {
    findings.report({
      code: 'seal/incomplete',
      message: `the manifest does not list ${FINAL_FILE}`,
      file: MANIFEST_FILE,
    });
  }
  if (requireSignature && !hasManifest) {
    findings.report({
      code: 'manifest/unsigned',
      message: `there is no ${MANIFEST_FILE}, so nothing is signed`,
      file: MANIFEST_FILE,
    });
  }
}
