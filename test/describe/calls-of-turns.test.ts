import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectOf } from '../../src/dialects/kit/sample.ts';
import { accountOfLog } from '../../src/read/describe/account-of-log.ts';
import { storyOfLog } from '../../src/read/describe/story-of-log.ts';
import { turnFoot } from '../../src/show/render/story-words.ts';
import { LINE_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

// `show` and `read` count the calls of a turn the same, also after a damaged line.

/** Longer logs take too long, because they are read once for each line. */
const MOST_LINES = 150;

/** The calls of each turn, as the words of both commands say. */
async function countsOf(path: string, name: string): Promise<[show: string[], read: string[]]> {
  const dialect = await dialectOf(path, name);
  const { account } = await accountOfLog(path, dialect);
  const { story } = await storyOfLog(path, dialect);
  const inShow = (account?.steps ?? []).map(({ calls = 0, failed = 0 }) => `${calls} ${failed}`);
  const inRead = story.turns
    .filter(({ turn }) => turn > 0)
    .map((turn) => {
      const foot = turnFoot(turn);
      const count = (of: RegExp) => Number(of.exec(foot)?.[1] ?? 0);
      const without =
        count(/(\d+) failed/) +
        count(/(\d+) refused/) +
        count(/(\d+) interrupted/) +
        count(/(\d+) no result/);
      return `${count(/(\d+) calls?/)} ${without}`;
    });
  return [inShow, inRead];
}

describe.each(LINE_DIALECTS)('%s', (name) => {
  test.each(sampleLogs(name).map((log) => [relative(SAMPLES, log), log] as const))(
    'show and read count the calls of %s the same, also with a torn line',
    async (_name, log) => {
      const lines = readFileSync(log, 'utf8').split('\n');
      if (lines.length > MOST_LINES || !log.endsWith('.jsonl')) return;
      const step = times(1, 9);
      for (let place = 0; place < lines.length; place += step) {
        const torn = lines.with(place, (lines[place] ?? '').slice(0, 40));
        const path = tempFile(torn.join('\n'), basename(log));
        const [inShow, inRead] = await countsOf(path, basename(log));
        expect([place + 1, inRead]).toEqual([place + 1, inShow]);
      }
    },
  );
});
