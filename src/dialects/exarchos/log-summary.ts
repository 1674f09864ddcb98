import type { JsonObject } from '../../json/value.ts';
import type { LogEnds, LogSummary } from '../dialect.ts';
import { asObject } from '../excerpt.ts';
import type { Tone } from '../state-view.ts';
import { phaseAfter } from './workflow-types.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function phaseIn(events: Iterable<JsonObject>): string | undefined {
  for (const event of events) {
    const phase = phaseAfter(event);
    if (phase !== undefined) return phase;
  }
  return undefined;
}

/** A workflow's feature and the phase that its events give; where none tells, that of the state file. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const started = head.find(({ type }) => type === 'workflow.started')?.['data'];
  if (started === undefined) return { status: text(state()?.['phase']) };
  return {
    task: text(asObject(started)['featureId']),
    status: phaseIn(backwards()) ?? text(state()?.['phase']),
  };
}

const TONES: ReadonlyMap<string, Tone> = new Map<string, Tone>([
  ['completed', 'good'],
  ['complete', 'good'],
  ['cancelled', 'doubtful'],
  ['failed', 'bad'],
]);

/** What the phase of a workflow or the status of a task means to a reader. */
export const toneOf = (status: string): Tone | undefined => TONES.get(status);
