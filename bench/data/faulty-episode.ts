import { paddedShape } from './big-episode.ts';
import { type Change, type StreamedEpisode, shapeOfSize, writeStreamed } from './streamed-episode.ts';

/** One in this many records has a fault. */
const distance = 10;

/** The faults, in turn, each with the code of its finding. */
const faults: readonly (readonly [code: string, change: Change])[] = [
  [
    'lineage/dangling-cause',
    (line, number) => line.replace(/"caused_by":"[^"]+"/, `"caused_by":"gone-${number}"`),
  ],
  ['event/wrong-type', (line) => line.replace('"evidence_ids":[]', '"evidence_ids":[7]')],
  ['event/unknown-phase', (line) => line.replace(/"phase":"\w+"/, '"phase":"daydream"')],
];

/** An episode with faults, and how often each code must be reported. */
export interface FaultyEpisode extends StreamedEpisode {
  readonly planted: Readonly<Record<string, number>>;
}

/** Only records that no projection and no other check reads get a fault, so each fault gives one finding. */
const isPadding = (line: string): boolean =>
  line.includes('"phase":"reason"') || line.includes('"event_type":"tool.execution.completed"');

/** Writes a sealed episode in which every tenth record, or the next suitable one, has a fault. */
export function writeFaulty(folder: string, bytes: number): FaultyEpisode {
  const planted: Record<string, number> = {};
  let due = distance;
  const episode = writeStreamed(folder, shapeOfSize(bytes, paddedShape(5)), (line, number) => {
    if (number < due || !isPadding(line)) return line;
    const fault = faults[Math.floor(due / distance) % faults.length];
    if (fault === undefined) return line;
    due += distance;
    const [code, change] = fault;
    planted[code] = (planted[code] ?? 0) + 1;
    return change(line, number);
  });
  return { ...episode, planted };
}
