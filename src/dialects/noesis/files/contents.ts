import { join, relative } from 'node:path';
import { digestOf, type FileDigest } from '../../../base/files/digest.ts';
import { type EpisodeFile, LEADS_OUTSIDE, type Listing, readEpisodeFile } from '../../../base/files/files.ts';
import { NO_FILE } from '../../../base/files/open-file.ts';
import { isObject } from '../../../base/json/value.ts';
import { type Document, openDocument } from '../../../findings/document.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { VerifyTarget } from '../../../findings/options.ts';
import { fits } from '../../../log/schema/fits.ts';
import { manifestSchema, type NoesisManifest } from '../seal/manifest-schema.ts';
import { DOCUMENTS, FINAL_FILE, MANIFEST_FILE, STATE_FILE } from './names.ts';

/** The contents of an episode's folder. Reports each unreadable file once. */
export class EpisodeContents {
  readonly files: readonly EpisodeFile[];
  readonly findings: Findings;
  /** The manifest, if it is valid. */
  readonly manifest: NoesisManifest | undefined;
  readonly #dir: string;
  /** The copies of compressed files, by the names that the files have in the listing. */
  readonly #unpacked = new Map<string, string>();
  readonly #byName = new Map<string, EpisodeFile>();
  readonly #documents = new Map<string, Document>();
  /** Existing files that cannot be read or are not JSON. */
  readonly #failed = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #digests = new Map<string, FileDigest>();

  /** A single log has no other files. */
  constructor({ dir, log, place }: VerifyTarget, { files, others }: Listing, findings: Findings) {
    this.findings = findings;
    this.files = files;
    this.#dir = dir ?? '';
    if (log !== undefined && place !== undefined) this.#unpacked.set(relative(this.#dir, place), log);
    for (const file of files) this.#byName.set(file.name, file);
    for (const { name, inside } of files) if (!inside) this.#fail(name, LEADS_OUTSIDE);
    // A live run may use sockets and pipes, but a sealed episode must contain only regular files.
    const isSealed = this.#byName.has(MANIFEST_FILE) || this.#byName.has(FINAL_FILE);
    if (isSealed) for (const name of others) this.#fail(name, NO_FILE);
    if (dir !== undefined) for (const [name, whenInvalid] of DOCUMENTS) this.#open(name, whenInvalid);
    this.manifest = this.#validManifest();
  }

  path(name: string): string {
    return this.#unpacked.get(name) ?? join(this.#dir, name);
  }

  /** The bytes of a listed file. Reports one that cannot be read. */
  read(name: string): Buffer | undefined {
    const outcome = readEpisodeFile(this.#dir, name);
    if (outcome.kind === 'read') return outcome.bytes;
    this.cannotRead(name, outcome.kind === 'missing' ? 'gone' : outcome.reason);
    return undefined;
  }

  /** The entry of a file in the manifest. */
  entry(name: string): NoesisManifest['files'][number] | undefined {
    return this.manifest?.files.find((file) => file.name === name);
  }

  /** A document that could be read. */
  document(name: string): Document | undefined {
    return this.#documents.get(name);
  }

  /** Remembers the digest of a file that was read and is not a document. */
  keepDigest(name: string, digest: FileDigest): void {
    this.#digests.set(name, digest);
  }

  /** The digest of a file that was read; undefined otherwise. */
  digest(name: string): FileDigest | undefined {
    const document = this.#documents.get(name);
    return document ? digestOf(document.bytes) : this.#digests.get(name);
  }

  /** Whether the folder has this file, even as a symlink that leads outside. */
  lists(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Whether a file may be read. */
  has(name: string): boolean {
    return this.#byName.get(name)?.inside ?? false;
  }

  /** Whether the name exists, readable or not. The runtime takes any final.json for a seal. */
  isThere(name: string): boolean {
    return this.#failed.has(name) || this.#byName.has(name);
  }

  /** Whether this file was reported as unreadable. */
  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  /** Reports that a file cannot be read, once per file. */
  cannotRead(name: string, reason: string): void {
    if (this.#unreadable.has(name)) return;
    this.#unreadable.add(name);
    this.findings.report({ code: 'artifact/unreadable', message: `cannot be read (${reason})`, file: name });
  }

  #validManifest(): NoesisManifest | undefined {
    const document = this.document(MANIFEST_FILE);
    if (document === undefined) return undefined;
    const { value } = document;
    if (fits(manifestSchema, value)) return value;
    document.fits(manifestSchema, 'manifest/invalid');
    return undefined;
  }

  #fail(name: string, reason: string): void {
    this.#failed.add(name);
    this.cannotRead(name, reason);
  }

  #open(name: string, whenInvalid: (typeof DOCUMENTS)[number][1]): void {
    if (this.#failed.has(name)) return;
    const outcome = readEpisodeFile(this.#dir, name);
    if (outcome.kind === 'missing') return;
    if (outcome.kind === 'unreadable') return this.#fail(name, outcome.reason);
    const document = openDocument(name, outcome.bytes, whenInvalid, this.findings);
    const isNoState = name === STATE_FILE && document !== undefined && !isObject(document.value);
    if (isNoState) document.at({ code: whenInvalid, message: 'a state must be a JSON object' });
    if (document && !isNoState) this.#documents.set(name, document);
    else this.#failed.add(name);
  }
}
