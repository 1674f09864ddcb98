import type { Dialect } from '../../src/dialects/dialect.ts';
import type { Account } from '../../src/dialects/kit/account.ts';
import { eachRecord } from './exarchos/support.ts';

/** The account that a dialect gives of a log with these events. */
export async function accountOf(dialect: Dialect, events: readonly object[]): Promise<Account | undefined> {
  const account = await dialect.account?.();
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  await eachRecord(text, (record) => account?.add(record));
  return account?.result();
}
