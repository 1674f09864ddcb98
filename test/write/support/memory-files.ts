import { basename, dirname } from 'node:path';
import type { FileStatus, FileSystem, OpenMode, PortFile } from '../../../src/base/files/port.ts';

/** A failure as a file system gives it. */
export function fileError(code: string, call: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${call}`), { code, syscall: call });
}

interface Node {
  readonly ino: number;
  bytes: Buffer;
  changed: bigint;
}

/** A file system in memory: names, links and inodes as POSIX has them. */
export class MemoryFiles implements FileSystem {
  readonly #names = new Map<string, Node>();
  #nodes = 0;
  #time = 0n;
  /** How often something was changed. */
  changes = 0;
  /** Files that were opened and not closed. */
  opened = 0;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.#add(path, Buffer.from(content));
  }

  /** The content of a file; undefined if it does not exist. */
  peek(path: string): Buffer | undefined {
    return this.#names.get(path)?.bytes;
  }

  /** The names of all files. */
  get paths(): string[] {
    return [...this.#names.keys()].sort();
  }

  /** Everything in one text. */
  snapshot(): string {
    const nodes = this.paths.map((path) => this.#names.get(path));
    const numbers = new Map([...new Set(nodes)].map((node, index) => [node, index]));
    return this.paths
      .map((path, index) => `${path} ${numbers.get(nodes[index])} ${nodes[index]?.bytes.toString('latin1')}`)
      .join('\n');
  }

  #add(path: string, bytes: Buffer): Node {
    const node = { ino: ++this.#nodes, bytes, changed: ++this.#time };
    this.#names.set(path, node);
    return node;
  }

  #touch(node: Node): void {
    node.changed = ++this.#time;
    this.changes += 1;
  }

  async open(path: string, mode: OpenMode): Promise<PortFile> {
    let node = this.#names.get(path);
    if (mode === 'read' && !node) throw fileError('ENOENT', 'open');
    if (mode === 'create' && node) throw fileError('EEXIST', 'open');
    if (!node) {
      node = this.#add(path, Buffer.alloc(0));
      this.changes += 1;
    }
    return this.#file(node);
  }

  #file(node: Node): PortFile {
    this.opened += 1;
    return {
      read: async (into, position) => node.bytes.copy(into, 0, position),
      write: async (bytes) => {
        node.bytes = Buffer.concat([node.bytes, bytes]);
        this.#touch(node);
        return bytes.length;
      },
      truncate: async (length) => {
        node.bytes = node.bytes.subarray(0, length);
        this.#touch(node);
      },
      sync: async () => {},
      touch: async () => this.#touch(node),
      status: async () => this.#statusOf(node),
      close: async () => {
        this.opened -= 1;
      },
    };
  }

  #statusOf({ ino, bytes, changed }: Node): FileStatus {
    return { dev: 1, ino, size: bytes.length, mtimeNs: changed, ctimeNs: changed, isFile: true };
  }

  async status(path: string): Promise<FileStatus | undefined> {
    const node = this.#names.get(path);
    return node && this.#statusOf(node);
  }

  async readFile(path: string): Promise<Buffer | undefined> {
    const node = this.#names.get(path);
    return node && Buffer.from(node.bytes);
  }

  async link(path: string, to: string): Promise<void> {
    const node = this.#names.get(path);
    if (!node) throw fileError('ENOENT', 'link');
    if (this.#names.has(to)) throw fileError('EEXIST', 'link');
    this.#names.set(to, node);
    this.changes += 1;
  }

  async rename(path: string, to: string): Promise<void> {
    const node = this.#names.get(path);
    if (!node) throw fileError('ENOENT', 'rename');
    this.changes += 1;
    // Two names of one file: POSIX leaves both.
    if (this.#names.get(to) === node) return;
    this.#names.delete(path);
    this.#names.set(to, node);
  }

  async remove(path: string): Promise<void> {
    if (!this.#names.delete(path)) throw fileError('ENOENT', 'unlink');
    this.changes += 1;
  }

  async list(folder: string): Promise<string[]> {
    return this.paths.filter((path) => dirname(path) === folder).map((path) => basename(path));
  }

  async syncFolder(): Promise<void> {}
}
