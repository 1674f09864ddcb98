import type { JsonObject } from '../../json/value.ts';
import type { LogEnds, LogSummary } from '../dialect.ts';
import { asObject, firstLine, textIn } from '../excerpt.ts';
import type { Tone } from '../state-view.ts';
import { phaseAfter } from './workflow-types.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The phase in which events leave a workflow, and why it was cancelled, where it was. */
function phaseIn(events: Iterable<JsonObject>): Pick<LogSummary, 'status' | 'why'> {
  for (const event of events) {
    const status = phaseAfter(event);
    if (status === undefined) continue;
    const reason = status === 'cancelled' ? textIn(asObject(event['data']), 'reason') : undefined;
    return { status, why: reason && firstLine(reason) };
  }
  return {};
}

/** A workflow's feature and the phase that its events give; where none tells, that of the state file. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const started = head.find(({ type }) => type === 'workflow.started')?.['data'];
  const stored = () => ({ status: text(state()?.['phase']) });
  if (started === undefined) return stored();
  const told = phaseIn(backwards());
  return { task: text(asObject(started)['featureId']), ...(told.status === undefined ? stored() : told) };
}

const TONES: ReadonlyMap<string, Tone> = new Map<string, Tone>([
  ['completed', 'good'],
  ['complete', 'good'],
  ['cancelled', 'doubtful'],
  ['failed', 'bad'],
]);

/** What the phase of a workflow or the status of a task means to a reader. */
export const toneOf = (status: string): Tone | undefined => TONES.get(status);
