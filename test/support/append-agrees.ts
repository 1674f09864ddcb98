import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { DialectName } from '../../src/dialects/dialect.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { appendEvent } from '../../src/library/write.ts';

/** The errors and warnings that verify reports. */
async function faults(log: string, dialect: DialectName): Promise<string[]> {
  const { findings } = await verifyEpisode(log, { dialect, maxFindings: 0 });
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, line, message }) => `${code} on line ${line}: ${message}`);
}

export interface Answers {
  /** Why `append` refused the event; undefined if it appended it. */
  readonly refused: string | undefined;
  /** The errors and warnings that `verify` has about the log with the event, and not about the log without it. */
  readonly reported: readonly string[];
  /** The log with the event. */
  readonly text: string;
}

/**
 * Asks `append` and `verify` about the next event of a log. A refused event is written as it is given, so it should have
 * every member that `append` would add.
 */
export async function bothAbout(
  folder: string,
  {
    before,
    event,
    dialect,
    name,
  }: {
    readonly before: readonly JsonObject[];
    readonly event: JsonObject;
    readonly dialect: DialectName;
    readonly name: string;
  },
): Promise<Answers> {
  const log = join(folder, name);
  const text = before.map((stored) => `${JSON.stringify(stored)}\n`).join('');
  writeFileSync(log, text);
  const known = await faults(log, dialect);
  let refused: string | undefined;
  let after = text;
  try {
    const { events } = await appendEvent(log, event, { dialect });
    after += `${events[0]?.text}\n`;
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    refused = error.message;
    after += `${JSON.stringify(event)}\n`;
  }
  writeFileSync(log, after);
  const reported = (await faults(log, dialect)).filter((finding) => !known.includes(finding));
  rmSync(log);
  return { refused, reported, text: after };
}
