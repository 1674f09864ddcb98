import type { Policy } from '../../../findings/policy.ts';
import type { EpisodeContents } from '../files/contents.ts';
import { FINAL_FILE, MANIFEST_FILE } from '../files/names.ts';

/**
 * Checks that a sealed episode has final.json and a manifest that lists it (noesis.md §8.5). `ended`: the log has a
 * terminate event. `open`: a writer is active right now.
 */
export function checkSealMarkers(
  contents: EpisodeContents,
  { requireSeal, requireSignature }: Policy,
  { ended, open }: { readonly ended: boolean; readonly open: boolean },
): void {
  const { findings, manifest } = contents;
  const hasFinal = contents.isThere(FINAL_FILE);
  const hasManifest = contents.isThere(MANIFEST_FILE);
  const awaited = open && !requireSeal && !(hasFinal && hasManifest);
  if (awaited) {
    const message = 'the episode is still being written, so missing files may yet be added';
    findings.report({ code: 'seal/open', message, file: MANIFEST_FILE });
  } else if (!hasFinal && (!hasManifest || requireSeal)) {
    const message = hasManifest
      ? `there is no ${FINAL_FILE}, and a manifest alone is not a seal`
      : `the episode is not sealed, so nothing shows that its log is complete and unchanged`;
    const severity = requireSeal ? 'error' : ended ? 'warn' : 'info';
    findings.report({ code: 'seal/missing', severity, message, file: MANIFEST_FILE });
  }
  if (hasFinal && !hasManifest && !awaited) {
    const message = `${FINAL_FILE} says that the episode is sealed, but there is no ${MANIFEST_FILE}`;
    findings.report({ code: 'seal/incomplete', message, file: MANIFEST_FILE });
  } else if (hasFinal && manifest && !contents.entry(FINAL_FILE)) {
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
