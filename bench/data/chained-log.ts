import { hash } from 'node:crypto';
import type { Source } from './source.ts';

/** Records in the format of agents-cli, each with the hash of the one before it. */
export function* chainedRecords({ words, now }: Source): Generator<object, void, boolean> {
  let prevHash = 'GENESIS';
  for (let number = 0; ; number += 1) {
    const record = {
      agent: 'claude',
      exit: number % 7 === 0 ? 1 : 0,
      mode: 'edit',
      outcome: number % 7 === 0 ? 'fail' : 'ok',
      prevHash,
      prompt: words(30),
      repo: 'https://example.com/acme/app.git',
      ts: now(),
      version: '2.1.40',
    };
    // The members are in sorted order, as the program hashes them.
    prevHash = hash('sha256', JSON.stringify(record), 'hex');
    const { ts, ...rest } = record;
    const isOver = yield { ts, ...rest, hash: prevHash };
    if (isOver) return;
  }
}
