import type { FileSystem, PortFile } from '../../../src/base/files/port.ts';

/** One call of a file system that is about to be made. */
export interface Call {
  /** `write`, `rename` and the like. */
  readonly name: string;
  /** The file or folder. */
  readonly path: string;
  /** The written bytes. */
  readonly bytes?: Uint8Array;
  /** Whether it changes something. */
  readonly changes: boolean;
}

/** Makes a call, or does something else in its place. */
export type CallGate = <Value>(call: Call, make: () => Promise<Value>) => Promise<Value>;

const READS = new Set(['read', 'status', 'readFile', 'list', 'close']);

/** A file system each of whose calls goes through a gate. */
export function watchedFiles(files: FileSystem, gate: CallGate): FileSystem {
  // Asynchronous, so that an error of a gate rejects a promise, as an error of a system call does.
  const call = async <Value>(name: string, path: string, make: () => Promise<Value>, bytes?: Uint8Array) =>
    gate({ name, path, changes: !READS.has(name), ...(bytes && { bytes }) }, make);
  const watchedFile = (file: PortFile, path: string): PortFile => ({
    read: (into, position) => call('read', path, () => file.read(into, position)),
    write: (bytes) => call('write', path, () => file.write(bytes), bytes),
    truncate: (length) => call('truncate', path, () => file.truncate(length)),
    sync: () => call('sync', path, () => file.sync()),
    touch: () => call('touch', path, () => file.touch()),
    status: () => call('status', path, () => file.status()),
    close: () => call('close', path, () => file.close()),
  });
  return {
    open: (path, mode) =>
      call(mode === 'read' ? 'openRead' : 'open', path, async () =>
        watchedFile(await files.open(path, mode), path),
      ),
    status: (path) => call('status', path, () => files.status(path)),
    readFile: (path) => call('readFile', path, () => files.readFile(path)),
    link: (path, to) => call('link', to, () => files.link(path, to)),
    rename: (path, to) => call('rename', to, () => files.rename(path, to)),
    remove: (path) => call('remove', path, () => files.remove(path)),
    list: (folder) => call('list', folder, () => files.list(folder)),
    syncFolder: (folder) => call('syncFolder', folder, () => files.syncFolder(folder)),
  };
}
