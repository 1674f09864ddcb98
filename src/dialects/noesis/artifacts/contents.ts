import { digestOf, type FileDigest } from '../../../files/digest.ts';
import {
  type EpisodeFile,
  LEADS_OUTSIDE,
  type Listing,
  NO_FILE,
  readEpisodeFile,
} from '../../../files/files.ts';
import { type Document, openDocument } from '../../../findings/document.ts';
import type { Findings } from '../../../findings/findings.ts';
import { isObject } from '../../../json/value.ts';
import { DOCUMENTS, FINAL_FILE, MANIFEST_FILE, STATE_FILE } from './names.ts';

/** How whoever cannot read a file of an episode says so. */
export type CannotRead = (name: string, reason: string) => void;

/** What lies in an episode's directory and which of it can be read. What cannot is reported once, here. */
export class EpisodeContents {
  readonly files: readonly EpisodeFile[];
  readonly #byName = new Map<string, EpisodeFile>();
  readonly #findings: Findings;
  readonly #documents = new Map<string, Document>();
  /** Files that are there and cannot be read, or hold no JSON. */
  readonly #failed = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #digests = new Map<string, FileDigest>();

  /** Of a log alone there is no directory, and so no file beside it. */
  constructor(dir: string | undefined, { files, others }: Listing, findings: Findings) {
    this.#findings = findings;
    this.files = files;
    for (const file of files) this.#byName.set(file.name, file);
    for (const { name, inside } of files) if (!inside) this.#fail(name, LEADS_OUTSIDE);
    // While a run goes on its tools may talk through one; a sealed episode holds files and nothing else.
    const isSealed = this.#byName.has(MANIFEST_FILE) || this.#byName.has(FINAL_FILE);
    if (isSealed) for (const name of others) this.#fail(name, NO_FILE);
    if (dir !== undefined) for (const [name, whenInvalid] of DOCUMENTS) this.#open(dir, name, whenInvalid);
  }

  /** A document that could be read. */
  document(name: string): Document | undefined {
    return this.#documents.get(name);
  }

  /** Remembers the digest of a file that was read, and is no document. */
  keepDigest(name: string, digest: FileDigest): void {
    this.#digests.set(name, digest);
  }

  /** The digest of a file whose bytes were read; undefined of one that nobody has looked into. */
  digest(name: string): FileDigest | undefined {
    const document = this.#documents.get(name);
    return document ? digestOf(document.bytes) : this.#digests.get(name);
  }

  /** Whether a file may be read. */
  has(name: string): boolean {
    return this.#byName.get(name)?.inside ?? false;
  }

  /** Whether something has this name, readable or not: to the runtime any final.json is a seal. */
  isThere(name: string): boolean {
    return this.#failed.has(name) || this.#byName.has(name);
  }

  /** Whether something has this name, and it has been said that it cannot be read. */
  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  /** Says that a file cannot be read; of several that try, the first. */
  readonly cannotRead: CannotRead = (name, reason) => {
    if (this.#unreadable.has(name)) return;
    this.#unreadable.add(name);
    this.#findings.report({ code: 'artifact/unreadable', message: `cannot be read (${reason})`, file: name });
  };

  #fail(name: string, reason: string): void {
    this.#failed.add(name);
    this.cannotRead(name, reason);
  }

  #open(dir: string, name: string, whenInvalid: (typeof DOCUMENTS)[number][1]): void {
    if (this.#failed.has(name)) return;
    const outcome = readEpisodeFile(dir, name);
    if (outcome.kind === 'missing') return;
    if (outcome.kind === 'unreadable') return this.#fail(name, outcome.reason);
    const document = openDocument(name, outcome.bytes, whenInvalid, this.#findings);
    const isNoState = name === STATE_FILE && document !== undefined && !isObject(document.value);
    if (isNoState) document.at({ code: whenInvalid, message: 'a state must be a JSON object' });
    if (document && !isNoState) this.#documents.set(name, document);
    else this.#failed.add(name);
  }
}
