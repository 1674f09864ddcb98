import { basename } from 'node:path';
import * as z from 'zod';
import type { FileStatus, FileSystem } from '../base/files/port.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { jsonIn } from '../base/json/parse.ts';

// The lock of a log is a file next to it. Its first line identifies the holder. Before each batch, the holder records the
// length of the log and the batch, so that the next writer can tell the unacknowledged bytes of a dead holder from those of
// others.

const ownerSchema = z.object({
  noesis: z.literal('lock/1'),
  token: z.string().min(1),
  host: z.string(),
  pid: z.number(),
  start: z.string().optional(),
});

const intentSchema = z.object({ length: z.int().min(0), bytes: z.int().min(0), created: z.boolean() });

/** Who holds a lock. */
type LockOwner = z.infer<typeof ownerSchema>;

/** The batch that a holder was about to append. */
export interface Intent {
  /** The length of the log before. */
  readonly length: number;
  readonly batch: Buffer;
  /** The log did not exist before. */
  readonly created: boolean;
}

/** A lock file found on disk. */
export interface FoundLock {
  /** Undefined if the file does not identify a holder: it belongs to another program or is half written. */
  readonly owner: LockOwner | undefined;
  /** The owner's token, or something else that identifies the file. */
  readonly token: string;
  readonly intent: Intent | undefined;
  readonly status: FileStatus;
}

/** The path of a log's lock. */
export const lockOf = (log: string): string => `${log}.lock`;

/** Whether a file in the log's folder belongs to a writer that waits for the lock. */
export const isOfWaiter = (name: string, log: string): boolean =>
  name.startsWith(`${basename(lockOf(log))}.`);

/** Whether a file is the lock, or belongs to a writer that waits for it. */
export const isOfLock = (name: string, log: string): boolean =>
  name === basename(lockOf(log)) || isOfWaiter(name, log);

export const ownerLine = (owner: LockOwner): Buffer => Buffer.from(`${JSON.stringify(owner)}\n`);

export function intentBytes({ length, batch, created }: Intent): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ length, bytes: batch.length, created })}\n`), batch]);
}

/** The last complete intent in the file. The holder only writes to the log after its intent is complete. */
function intentIn(bytes: Buffer, from: number): Intent | undefined {
  let found: Intent | undefined;
  for (let at = from; ; ) {
    const end = bytes.indexOf(NEWLINE, at);
    const head = end === -1 ? undefined : intentSchema.safeParse(jsonIn(bytes.toString('utf8', at, end)));
    if (!head?.success) return found;
    const { length, bytes: size, created } = head.data;
    const to = end + 1 + size;
    if (to > bytes.length) return found;
    found = { length, created, batch: bytes.subarray(end + 1, to) };
    at = to;
  }
}

/** Reads a lock; undefined if it is gone. */
export async function readLock(files: FileSystem, path: string): Promise<FoundLock | undefined> {
  const status = await files.status(path);
  const bytes = status && (await files.readFile(path));
  if (status === undefined || bytes === undefined) return undefined;
  const end = bytes.indexOf(NEWLINE);
  const owner = ownerSchema.safeParse(jsonIn(bytes.toString('utf8', 0, Math.max(0, end))));
  return {
    status,
    owner: owner.data,
    token: owner.data?.token ?? `file-${status.ino}`,
    intent: owner.success ? intentIn(bytes, end + 1) : undefined,
  };
}
