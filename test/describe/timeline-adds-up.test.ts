import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../src/base/time/instant.ts';
import { dialectOf } from '../../src/dialects/kit/sample.ts';
import { clockOf, pauseOf } from '../../src/dialects/kit/story.ts';
import { pausesOf } from '../../src/read/describe/session-timeline.ts';
import { storyOfLog } from '../../src/read/describe/story-of-log.ts';
import { LINE_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

// The rows of a timeline, turns and pauses, are all the time that the session lasted, whatever its lines lost.

/** Longer logs take too long, because they are read once for each line. */
const MOST_LINES = 150;

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, one = 0) => all + one, 0);

/** Where the rows of a log leave out time, or have more of it than `show` names. */
async function gapsOf(path: string, name: string): Promise<string[]> {
  const { story, details } = await storyOfLog(path, await dialectOf(path, name));
  const turns = story.turns.filter(({ turn, copied }) => turn > 0 && !copied);
  const [started, ended] = [details?.started_at, details?.ended_at].map((time) => parseInstant(time ?? ''));
  const starts = turns.flatMap(({ time = '' }) => parseInstant(time) ?? []);
  const isTimed = starts.length === turns.length && turns.every((turn) => turn.duration_ms !== undefined);
  if (story.time === undefined || started === undefined || ended === undefined || !isTimed) return [];
  const found = turns.flatMap((turn, place) => {
    const end = (starts[place] ?? 0) + clockOf(turn) + pauseOf(turn);
    const missing = (starts[place + 1] ?? ended) - end;
    return missing === 0 ? [] : [`${missing} ms are missing after turn ${turn.turn}`];
  });
  const pauses = pausesOf(story, { from: started, to: started }, started);
  const [first] = pauses;
  if (starts[0] !== started && first?.from !== started) found.push('there is no pause before the first turn');
  const idle = sum(
    pauses.map(
      ({ from, to, compactedMs = 0, unknownMs = 0, unsureMs = 0 }) =>
        to - from - compactedMs - unknownMs - unsureMs,
    ),
  );
  if (idle > story.time.idle_ms) found.push(`${idle} ms idle, but show says ${story.time.idle_ms}`);
  return found;
}

describe.each(LINE_DIALECTS)('%s', (name) => {
  test.each(sampleLogs(name).map((log) => [relative(SAMPLES, log), log] as const))(
    'turns and pauses of %s are all its time, also with a torn line',
    async (_name, log) => {
      const lines = readFileSync(log, 'utf8').split('\n');
      if (lines.length > MOST_LINES || !log.endsWith('.jsonl')) return;
      const found: string[] = [...(await gapsOf(log, basename(log)))];
      const step = times(1, 9);
      for (let place = 0; place < lines.length; place += step) {
        const torn = lines.with(place, (lines[place] ?? '').slice(0, 40));
        const path = tempFile(torn.join('\n'), basename(log));
        found.push(...(await gapsOf(path, basename(log))).map((text) => `line ${place + 1}: ${text}`));
      }
      expect(found).toEqual([]);
    },
  );
});
