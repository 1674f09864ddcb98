import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

interface Listed {
  readonly status: string;
  readonly took_ms: number;
  readonly tokens?: object;
}
interface Shown {
  readonly status: string;
  readonly time: { readonly lasted_ms: number };
  readonly tokens?: object;
}
interface Counted {
  readonly statuses: Readonly<Record<string, number>>;
  readonly runs: { readonly max: number };
  readonly tokens?: object;
}

async function answer<Answer>(command: string, log: string): Promise<Answer> {
  return JSON.parse((await runHere([command, log, '-j'])).stdout) as Answer;
}

/** Status, length and tokens of a session, as each command gives them. */
async function answers(log: string) {
  const [[listed], shown, read, stats] = await Promise.all([
    answer<Listed[]>('list', log),
    answer<Shown>('show', log),
    answer<Shown>('read', log),
    answer<Counted>('stats', log),
  ]);
  return {
    list: [listed?.status, listed?.took_ms, listed?.tokens],
    show: [shown.status, shown.time.lasted_ms, shown.tokens],
    read: [read.status, read.time.lasted_ms, read.tokens],
    stats: [Object.keys(stats.statuses)[0], stats.runs.max, stats.tokens],
  };
}

/** A list reads so many records whole, so that it does not recognise their results if they come again. */
const FIRST = 20;

const SESSIONS = [
  'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
  'doctor/claude/original/.claude/projects/-home-usr-work/aaaaaaaa-0000-4000-8000-000000000001.jsonl',
];

test.each(SESSIONS)(
  'a session whose end was written again has one status, length and number of tokens: %s',
  async (name) => {
    const log = join(SAMPLES, name);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const whole = await answers(tempFile(`${lines.join('\n')}\n`, basename(log)));
    const places = [...lines.keys()].filter((at) => at >= FIRST && at % 3 === 0);
    // Of the first place, results are repeated that a list read shortened, and reads whole at the end.
    for (const from of new Set([FIRST + 1, ...sampled(places, 4)])) {
      const copied = tempFile(`${[...lines, ...lines.slice(from, from + 5)].join('\n')}\n`, basename(log));
      const { list, show, read, stats } = await answers(copied);
      expect([from, list, read, stats]).toEqual([from, show, show, show]);
      expect([from, list]).toEqual([from, whole.list]);
    }
  },
);
