import { basename } from 'node:path';
import { expect } from 'vitest';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { summarize } from '../../src/find/summary.ts';
import { readLog } from '../../src/log/read.ts';
import { accountOfLog } from '../../src/read/describe/account-of-log.ts';
import { storyOfLog } from '../../src/read/describe/story-of-log.ts';

/** What list, show, read and tail say about a log. */
export async function answersOf(log: string, dialect: Dialect) {
  const listed = summarize(basename(log), undefined, log);
  const { account } = await accountOfLog(log, dialect);
  const { story } = await storyOfLog(log, dialect);
  const ending = dialect.ending?.();
  let isEnded = false;
  await readLog(log, dialect.form, {
    record(record) {
      isEnded = ending?.isOver(record) ?? false;
    },
    corrupt() {},
  });
  return { listed, account, story, tail: { isEnded, isPaused: ending?.isPaused } };
}

/** Expects that list, show and read give one task and one status. */
export function expectOneStatus({ listed, account, story }: Awaited<ReturnType<typeof answersOf>>): void {
  expect(listed.status, 'list').toBe(account?.status);
  expect(listed.tone, 'list: tone').toBe(account?.tone);
  expect(listed.task, 'list: task').toBe(account?.task);
  expect(story.status, 'read').toBe(account?.status);
  expect(story.title, 'read: task').toBe(account?.task);
}
