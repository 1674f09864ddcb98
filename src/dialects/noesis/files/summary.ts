import { posix } from 'node:path';
import { valueAt } from '../../../base/json/path.ts';
import { isObject } from '../../../base/json/value.ts';
import type { Document } from '../../../findings/document.ts';
import { MANIFEST_FILE } from './names.ts';
import { SUMMARY_1_3_KEYS, summarySchema } from './schemas.ts';

/** Checks summary.json (noesis.md §8.1). Members added in 1.3.0 are only required there. */
export function checkSummary(summary: Document): void {
  summary.fits(summarySchema, 'artifact/schema');
  const path = ['manifest', 'path'];
  const linked = valueAt(summary.value, path);
  if (typeof linked === 'string' && posix.normalize(linked) !== MANIFEST_FILE) {
    const message = `manifest.path points to ${JSON.stringify(linked)}, not to ${MANIFEST_FILE}`;
    summary.at({ code: 'artifact/schema', message, path, expected: MANIFEST_FILE, actual: linked });
  }
  const { value } = summary;
  if (!isObject(value) || value['schema_version'] !== '1.3.0') return;
  for (const key of SUMMARY_1_3_KEYS) {
    if (Object.hasOwn(value, key)) continue;
    summary.at({
      code: 'artifact/schema',
      message: `${key} is missing, which a summary of version 1.3.0 must have`,
      path: [key],
    });
  }
}
