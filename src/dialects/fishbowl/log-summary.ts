import { isObject, type JsonObject } from '../../json/value.ts';
import type { LogEnds, LogSummary } from '../dialect.ts';
import { textIn } from '../excerpt.ts';
import type { Tone } from '../state-view.ts';
import { resultText } from './outcome.ts';

const payloadOf = (event: JsonObject | undefined): JsonObject => {
  const payload = event?.['payload'];
  return isObject(payload) ? payload : {};
};

/** What a run is about, as its first event says: its goal, else its seed. */
export function taskOf(started: JsonObject): string | undefined {
  return textIn(started, 'goal') ?? textIn(started, 'seed');
}

/** What the first run is about, why it ended and who won; a ledger of several runs has no end of its own. */
export function summarizeLog({ head, tail }: LogEnds): LogSummary {
  const isOne = new Set([...head, ...tail].map(({ run_id: run }) => run)).size === 1;
  const task = taskOf(payloadOf(head.find(({ kind }) => kind === 'run.started')));
  if (!isOne) return { task: task && `${task} (and other runs)` };
  const last = (wanted: string) => tail.findLast(({ kind }) => kind === wanted);
  const finished = last('run.finished');
  return {
    task,
    status: finished === undefined ? 'running' : textIn(payloadOf(finished), 'reason'),
    result: resultText(payloadOf(last('judge.verdict'))) ?? resultText(payloadOf(finished)),
  };
}

/** What the reason for which a run ended means to a reader; undefined while it goes on. */
export function toneOf(status: string): Tone | undefined {
  if (status === 'running') return undefined;
  return status === 'verdict' ? 'good' : 'doubtful';
}
