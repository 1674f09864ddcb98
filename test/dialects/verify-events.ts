import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogVerifyOptions, VerifyTarget } from '../../src/findings/options.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../src/findings/options.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { writeSettled } from '../support/temp.ts';

type Verify = (target: VerifyTarget, options: LogVerifyOptions) => Promise<EpisodeReport>;

/** Verifies a log with these bytes, from a new file. */
export async function verifyText(verify: Verify, text: string, name = 'log.jsonl'): Promise<EpisodeReport> {
  const dir = mkdtempSync(join(tmpdir(), 'noesis-dialect-'));
  try {
    const log = join(dir, name);
    writeSettled(log, text);
    return await verify({ name, log, dir: undefined }, DEFAULT_VERIFY_OPTIONS);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Verifies a log of these events, one a line. */
export function verifyEvents(verify: Verify, events: readonly unknown[]): Promise<EpisodeReport> {
  return verifyText(verify, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

/** Findings in short: severity, code, line. */
export function brief({ findings }: EpisodeReport): string[] {
  return findings.map(({ severity, code, line }) => `${severity} ${code} ${line ?? '-'}`);
}
