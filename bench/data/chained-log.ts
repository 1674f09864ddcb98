import { hash } from 'node:crypto';
import type { Source } from './source.ts';

const recordOf = (number: number, prevHash: string, prompt: string, ts: string) => ({
  agent: 'claude',
  exit: number % 7 === 0 ? 1 : 0,
  mode: 'edit',
  outcome: number % 7 === 0 ? 'fail' : 'ok',
  prevHash,
  prompt,
  repo: 'https://example.com/acme/app.git',
  ts,
  version: '2.1.40',
});

/** Records in the format of agents-cli, each with the hash of the one before it. */
export function* chainedRecords({ words, now }: Source): Generator<object, void, boolean> {
  let prevHash = 'GENESIS';
  for (let number = 0; ; number += 1) {
    const record = recordOf(number, prevHash, words(30), now());
    // The members are in sorted order, as the program hashes them.
    prevHash = hash('sha256', JSON.stringify(record), 'hex');
    const { ts, ...rest } = record;
    const isOver = yield { ts, ...rest, hash: prevHash };
    if (isOver) return;
  }
}

/** How the records of {@link linkedLines} are chained. */
export const LINES_PROFILE = `[chains.lines]
detect = ["prevHash", "prompt", "nonce"]
link = "prevHash"
to = "line"
genesis = "GENESIS"
`;

/** Records that name the hash of the line before them. They are as long as those of {@link chainedRecords}. */
export function* linkedLines({ words, now }: Source): Generator<object, void, boolean> {
  let prevHash = 'GENESIS';
  for (let number = 0; ; number += 1) {
    const nonce = hash('sha256', String(number), 'hex');
    const record = { ...recordOf(number, prevHash, words(30), now()), nonce };
    prevHash = hash('sha256', JSON.stringify(record), 'hex');
    const isOver = yield record;
    if (isOver) return;
  }
}
