import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';
import { firstLine } from '../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import { objectIn, textIn } from '../kit/members.ts';
import type { Tone } from '../kit/state-view.ts';
import { END_TYPES, endReasonOf } from './reasons.ts';
import { isFinal, phaseAfter } from './workflow-types.ts';

/** What a phase or task status means to a reader. */
export const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['completed', 'good'],
  ['complete', 'good'],
  ['cancelled', 'doubtful'],
  ['failed', 'bad'],
]);

export const toneOf = (status: string): Tone | undefined => TONES.get(status);

/** The last phase in the events, and why it ended, unless it ended well. */
function phaseIn(events: Iterable<JsonObject>): Pick<LogSummary, 'status' | 'why'> {
  let status: string | undefined;
  let ended: { readonly type: string; readonly text: string } | undefined;
  for (const event of events) {
    const type = textIn(event, 'type') ?? '';
    if (ended !== undefined) {
      // A cancel is written as two events. Only one of them may have the reason.
      if (type !== ended.type) break;
    } else {
      status = phaseAfter(event);
      if (status === undefined) continue;
      if (!END_TYPES.has(type)) break;
    }
    const { text, tone, says } = endReasonOf(type, objectIn(event, 'data'), 0);
    if (tone === 'good') break;
    ended ??= { type, text };
    if (says) {
      ended = { type, text };
      break;
    }
  }
  return { status, why: ended && firstLine(ended.text) };
}

/** The feature of a workflow and its phase, from the events, else from the state file. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const started = head.find(({ type }) => type === 'workflow.started')?.['data'];
  const found = started === undefined ? {} : phaseIn(backwards());
  const stored = found.status === undefined && { status: textIn(state(), 'phase') };
  return { task: textIn(started, 'featureId'), ...found, ...stored };
}

/** A workflow ends when any event leads to a final phase. Other streams never end. */
export function workflowEnding(): LogEnding {
  let phase: string | undefined;
  return {
    isOver({ value }: LogRecord): boolean {
      phase = phaseAfter(value) ?? phase;
      return isFinal(phase);
    },
  };
}
