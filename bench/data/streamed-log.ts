import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { EventLog, encodeCanonical } from '../../test/support/simulator/events.ts';
import type { Run } from '../../test/support/simulator/run.ts';

const batchLength = 1 << 22;

/** What a log that went to disk, or nowhere, amounts to. */
export interface Extent {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * An event log whose lines go to a file as they come: the simulator's own log would hold gigabytes. What it does keep
 * is an empty line per event, so that it knows the last event and the count. Without a path the lines are only counted.
 */
export function streamedLog(run: Run, path: string | undefined): { log: EventLog; close: () => Extent } {
  const file = path === undefined ? undefined : openSync(path, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let batch: string[] = [];
  let length = 0;
  const flush = () => {
    const block = Buffer.from(batch.join(''));
    hash.update(block);
    bytes += block.length;
    // One write may take less than it was given.
    for (let at = 0; file !== undefined && at < block.length; ) at += writeSync(file, block, at);
    batch = [];
    length = 0;
  };
  const log = new EventLog(run.id, run.random, run.clock, (event) => {
    const line = encodeCanonical(event);
    if (line === undefined) return undefined;
    batch.push(line, '\n');
    length += line.length + 1;
    if (length >= batchLength) flush();
    return '';
  });
  const close = () => {
    flush();
    if (file !== undefined) closeSync(file);
    return { bytes, sha256: `sha256:${hash.digest('hex')}` };
  };
  return { log, close };
}
