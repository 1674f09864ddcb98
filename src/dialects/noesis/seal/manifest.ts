import { fileErrorCode } from '../../../base/errors.ts';
import { type FileDigest, hashFile } from '../../../base/files/digest.ts';
import { named } from '../../../base/json/write.ts';
import { bytesText, countText } from '../../../base/text/count.ts';
import type { Document } from '../../../findings/document.ts';
import type { LogExtent } from '../../../log/read.ts';
import type { EpisodeContents } from '../files/contents.ts';
import { LOG_FILE, MANIFEST_FILE } from '../files/names.ts';
import type { NoesisManifest } from './manifest-schema.ts';
import type { SealedLog } from './sealed-log.ts';

/**
 * Whether a name in a manifest must not be followed, because it could lead out of the episode or mislead a
 * reader.
 */
function isUnsafeName(name: string): boolean {
  if (name === '' || name.startsWith('/') || name.includes('\\') || /^[A-Za-z]:/.test(name)) return true;
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return true;
  return name.split('/').some((part) => part === '..' || part === '.' || part === '');
}

/** The inputs of the comparison of a manifest with the episode's files. */
interface SealContext {
  readonly contents: EpisodeContents;
  readonly log: { readonly extent: LogExtent; readonly sealed: SealedLog } | undefined;
  readonly strict: boolean;
}

type Entry = NoesisManifest['files'][number];

/** Uses the digest of the bytes that were checked, if the file was read already. */
function digestOfEntry(name: string, { log, contents }: SealContext): FileDigest {
  if (name === LOG_FILE && log?.sealed.result) return log.sealed.result;
  return contents.digest(name) ?? hashFile(contents.path(name));
}

/** Compares a listed file with the actual one. The size is only checked if the hash agrees. */
function checkEntry(document: Document, entry: Entry, index: number, context: SealContext): void {
  const { log, contents } = context;
  const path = ['files', index];
  const file = contents.files.find(({ name }) => name === entry.name);
  if (isUnsafeName(entry.name) || file?.inside === false) {
    const why =
      file?.inside === false ? 'is a symlink out of the episode' : 'does not stay inside the episode';
    const message = `the name ${JSON.stringify(entry.name)} ${why}; it is not followed`;
    document.at({ code: 'manifest/unsafe-path', message, path: [...path, 'name'], actual: entry.name });
    return;
  }
  if (entry.name === MANIFEST_FILE) {
    const message = 'the manifest lists itself: no file can contain its own hash';
    document.at({ code: 'manifest/invalid', message, path: [...path, 'name'] });
    return;
  }
  if (file === undefined) {
    document.at({
      code: 'manifest/missing-file',
      message: `${named(entry.name)} is listed and does not exist`,
      path,
    });
    return;
  }
  let actual: FileDigest;
  try {
    actual = digestOfEntry(entry.name, context);
  } catch (error) {
    contents.cannotRead(entry.name, fileErrorCode(error));
    return;
  }
  const sha256 = `sha256:${actual.sha256}`;
  if (sha256 !== entry.sha256) {
    const sizes = {
      expected: `${entry.sha256}, ${entry.size_bytes} bytes`,
      actual: `${sha256}, ${actual.size} bytes`,
    };
    const how = entry.name === LOG_FILE && log ? `; ${log.sealed.change()}` : '';
    const message = `${named(entry.name)} changed after it was sealed${how}`;
    document.at({ code: 'manifest/hash-mismatch', message, path: [...path, 'sha256'], ...sizes });
  } else if (actual.size !== entry.size_bytes) {
    const message = `${named(entry.name)} has ${bytesText(actual.size)}; the manifest says ${countText(entry.size_bytes)}`;
    const sizes = { expected: String(entry.size_bytes), actual: String(actual.size) };
    document.at({ code: 'manifest/size-mismatch', message, path: [...path, 'size_bytes'], ...sizes });
  }
}

function checkDuplicates(document: Document, manifest: NoesisManifest): void {
  const seen = new Map<string, number>();
  manifest.files.forEach(({ name }, index) => {
    const before = seen.get(name);
    if (before === undefined) seen.set(name, index);
    else {
      const message = `${JSON.stringify(name)} is already listed at files[${before}]`;
      document.at({
        code: 'manifest/duplicate-entry',
        message,
        path: ['files', index, 'name'],
        actual: name,
      });
    }
  });
}

/** Compares a manifest with the files of the episode (noesis.md §7), in both directions. */
export function checkSeal(document: Document, manifest: NoesisManifest, context: SealContext): void {
  const listed = new Set(manifest.files.map(({ name }) => name));
  if (!listed.has(LOG_FILE)) {
    document.at({
      code: 'manifest/empty',
      message: `the manifest does not list ${LOG_FILE}: it seals no log`,
      path: ['files'],
    });
  }
  checkDuplicates(document, manifest);
  for (const [index, entry] of manifest.files.entries()) checkEntry(document, entry, index, context);
  for (const { name } of context.contents.files) {
    if (name === MANIFEST_FILE || listed.has(name)) continue;
    const message = 'the manifest does not list this file, so no hash covers it';
    // The runtime never lists a file with this name, in any folder.
    const unlistable = name.endsWith(`/${MANIFEST_FILE}`);
    const severity = context.strict ? 'error' : unlistable ? 'info' : 'warn';
    context.contents.findings.report({ code: 'manifest/unlisted-file', severity, message, file: name });
  }
}
