import { describe, expect, test } from 'vitest';
import { intentBytes, lockOf, ownerLine } from '../../src/write/lock-file.ts';
import { count, isLong } from '../support/reliability.ts';
import { type Actor, explore, type Outcome } from './support/explore.ts';
import { eventsIn, LOG, reason, START, systemOf, writerOf } from './support/writers.ts';

/** A process that appends one event, and says that it is there. */
const appender =
  (id: string): Actor =>
  async ({ files, pid, isAlive, sleep }) => {
    const system = systemOf({ files, pid, isAlive: (other) => isAlive(other.pid), sleep });
    await writerOf(system).append([reason(id)], { waitMs: 1e9 });
    return id;
  };

/** Checks an end: each acknowledged event is in the log once, and the log can be continued. */
async function checkLog({ files, ends }: Outcome): Promise<void> {
  const dead = ends.flatMap(({ kind }, index) => (kind === 'killed' ? [index + 1] : []));
  const next = writerOf(systemOf({ files, pid: 9, isAlive: ({ pid }) => !dead.includes(pid) }));
  await next.append([reason('last')], { waitMs: 0 });
  const ids = eventsIn(files.peek(LOG)).map(({ id }) => id);
  expect(ids[0]).toBe('start-1');
  expect(ids.at(-1)).toBe('last');
  expect(new Set(ids).size).toBe(ids.length);
  for (const end of ends) {
    if (end.kind === 'failed') throw end.error;
    if (end.kind === 'done') expect(ids).toContain(end.value);
  }
  expect(files.paths).not.toContain(lockOf(LOG));
}

describe('two appenders', () => {
  test('leave a log without a gap, a repetition or a glued line, in every order of their system calls and with a death between any two', async (context) => {
    const found = await explore({
      start: { [LOG]: START },
      actors: [appender('a'), appender('b')],
      kills: 1,
      check: checkLog,
    });
    count(context, { states: found.states, ends: found.ends });
    expect(found.ends).toBeGreaterThan(500);
    expect(found.states).toBeGreaterThan(5000);
  });

  test('take over the lock of a third that died while it wrote, one after the other, even if one of them dies then', async (context) => {
    const batch = Buffer.from('{"id":"torn","phase":"reason"}\n');
    const owner = { noesis: 'lock/1' as const, token: 'dead', host: 'here', pid: 99, start: '1' };
    const intent = intentBytes({ length: START.length, batch, created: false });
    const found = await explore({
      start: {
        [LOG]: START + batch.toString().slice(0, 9),
        [lockOf(LOG)]: Buffer.concat([ownerLine(owner), intent]),
      },
      actors: [appender('a'), appender('b')],
      kills: isLong ? 1 : 0,
      check: checkLog,
    });
    count(context, { states: found.states, ends: found.ends });
    expect(found.states).toBeGreaterThan(500);
  });
});
