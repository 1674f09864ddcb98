import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/findings/finding.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import type { RealEpisode } from './runtime-episodes.ts';

const LOG = 'events.jsonl';
const MANIFEST = 'manifest.json';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const saying = ({ code, line }: Finding): string => `${code} ${line ?? ''}`;

/** A copy of a sealed episode whose log somebody changed, and covered with a manifest that matches. */
export class EditedEpisode {
  readonly lines: readonly string[];
  readonly #dir: string;
  readonly #log: string;
  readonly #manifest: string;
  #untouched: ReadonlySet<string> | undefined;

  /** `root`: a temporary folder. */
  constructor({ dir, id }: RealEpisode, root: string) {
    this.#dir = join(mkdtempSync(join(root, 'edited-')), id);
    cpSync(dir, this.#dir, { recursive: true });
    this.#log = readFileSync(join(this.#dir, LOG), 'utf8');
    this.#manifest = readFileSync(join(this.#dir, MANIFEST), 'utf8');
    this.lines = this.#log.trimEnd().split('\n');
  }

  /** The errors and warnings that the unchanged episode does not have. */
  async findingsOf(lines: readonly string[]): Promise<Finding[]> {
    this.#untouched ??= new Set((await this.#verify(this.lines)).map(saying));
    const before = this.#untouched;
    return (await this.#verify(lines)).filter((finding) => !before.has(saying(finding)));
  }

  async #verify(lines: readonly string[]): Promise<Finding[]> {
    const log = lines.map((line) => `${line}\n`).join('');
    const size = new RegExp(`("name": "${LOG}"[^}]*"size_bytes": )\\d+`);
    const manifest = this.#manifest
      .replace(sha256(this.#log), sha256(log))
      .replace(size, `$1${Buffer.byteLength(log)}`);
    if (log !== this.#log && manifest === this.#manifest) throw new Error('the manifest was not rewritten');
    writeFileSync(join(this.#dir, LOG), log);
    writeFileSync(join(this.#dir, MANIFEST), manifest);
    const { findings } = await verifyEpisode(this.#dir);
    return findings.filter(({ severity }) => severity !== 'info');
  }
}
