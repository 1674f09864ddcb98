import { isObject, type JsonObject } from '../../json/value.ts';
import type { LogEnds, LogSummary } from '../dialect.ts';
import type { Tone } from '../state-view.ts';

const of = (event: JsonObject | undefined, key: string): string | undefined => {
  const payload = event?.['payload'];
  const value = isObject(payload) ? payload[key] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** What the first run is about, and why it ended; a ledger of several runs has no end of its own. */
export function summarizeLog({ head, tail }: LogEnds): LogSummary {
  const isOne = new Set([...head, ...tail].map(({ run_id: run }) => run)).size === 1;
  const seed = of(
    head.find(({ kind }) => kind === 'run.started'),
    'seed',
  );
  const finished = tail.findLast(({ kind }) => kind === 'run.finished');
  if (isOne) return { task: seed, status: finished === undefined ? 'running' : of(finished, 'reason') };
  return { task: seed && `${seed} (and other runs)` };
}

/** What the reason for which a run ended means to a reader; undefined while it goes on. */
export function toneOf(status: string): Tone | undefined {
  if (status === 'running') return undefined;
  return status === 'verdict' ? 'good' : 'doubtful';
}
