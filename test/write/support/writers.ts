import type { FileSystem } from '../../../src/base/files/port.ts';
import type { Writing, WritingPlace } from '../../../src/dialects/kit/writing.ts';
import { noesis } from '../../../src/dialects/noesis/index.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { EventWriter } from '../../../src/write/event-writer.ts';
import type { ProcessId } from '../../../src/write/processes.ts';
import type { WriterSystem } from '../../../src/write/system.ts';

/** The events of an episode that may be added to. */
export const EPISODE = 'ep_01KJPWD6M0E9CFWVBER6AKA3X6';
export const LOG = `/runs/${EPISODE}/events.jsonl`;
export const START = `{"episode_id":"${EPISODE}","evidence_ids":[],"id":"start-1","payload":{},"phase":"start","timestamp":"2026-03-02T09:00:00+00:00"}\n`;

/** An event that is valid at any time during a run. */
export const reason = (id: string, text = 'x') => ({ id, phase: 'reason', payload: { text } });

export interface SystemOptions {
  readonly files: FileSystem;
  /** Which process the writer is. */
  readonly pid?: number;
  readonly isAlive?: (process: ProcessId) => boolean | undefined;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** A system of one process with simulated time, which only sleeping advances. Ids are numbers. */
export function systemOf({ files, pid = 1, isAlive = () => true, sleep }: SystemOptions): WriterSystem {
  let now = Date.parse('2026-03-02T10:00:00Z');
  let ids = 0;
  return {
    files,
    processes: { self: { host: 'here', pid, start: '1' }, isAlive },
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      await sleep?.(ms);
    },
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(pid).padStart(4, '0')}${String(ids).padStart(8, '0')}`;
    },
  };
}

const noesisWriting = await noesis.writing?.();

/** A writer of a log, by default of an episode. */
export function writerOf(
  system: WriterSystem,
  writing: Writing | undefined = noesisWriting,
  place: WritingPlace = { log: LOG },
): EventWriter {
  if (writing === undefined) throw new Error('the dialect does not say how it is written');
  return new EventWriter({ place, writing, form: AS_STORED }, system);
}

/** The lines of a log as events. Throws if one is not JSON. */
export const eventsIn = (bytes: Uint8Array | undefined): Record<string, unknown>[] =>
  Buffer.from(bytes ?? [])
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
