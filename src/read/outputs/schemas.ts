import * as z from 'zod';
import { checkedCheckpoint, takenCheckpoint } from './checkpoint.ts';
import { difference } from './diff.ts';
import { doctorReports } from './doctor.ts';
import { listedRun } from './list.ts';
import type { OutputName } from './names.ts';
import { stateComparison } from './project.ts';
import { readRun } from './read.ts';
import { redactedCopy } from './redact.ts';
import { salvageLine } from './salvage.ts';
import { searchMatch, sourcedEvent } from './search.ts';
import { shownChanges, shownEvent, shownRun } from './show.ts';
import { timelineLine } from './span.ts';
import { statistics } from './stats.ts';

/** The schema of each output. For an output with a value per line, that of a line. */
export const OUTPUT_SCHEMAS: Readonly<Record<OutputName, z.ZodType>> = {
  list: z.array(listedRun),
  show: shownRun,
  'show-event': shownEvent,
  'show-changes': shownChanges,
  read: readRun,
  timeline: timelineLine,
  search: searchMatch,
  events: sourcedEvent,
  stats: statistics,
  diff: difference,
  'project-diff': stateComparison,
  doctor: doctorReports,
  checkpoint: takenCheckpoint,
  'checkpoint-verify': checkedCheckpoint,
  salvage: salvageLine,
  redact: redactedCopy,
};
