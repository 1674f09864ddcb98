import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readEpisodeFile } from '../../../../base/files/files.ts';
import { named } from '../../../../base/json/write.ts';
import type { EventCheck, EventReporter } from '../../../../findings/check.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { textIn } from '../../../kit/members.ts';
import { firstOf } from '../../kit/envelope.ts';
import { sessionAt, WORKSPACE } from '../files.ts';
import { dataOf } from '../records.ts';

const BACKUP = /\.backup-before-recovery-([0-9a-f]{64})$/;

/** The session id in a workspace file, which is YAML. Only one line is read. */
function sessionInWorkspace(dir: string): string | undefined {
  const outcome = readEpisodeFile(dir, WORKSPACE);
  if (outcome.kind !== 'read') return undefined;
  return /^id:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*$/m.exec(outcome.bytes.toString('utf8'))?.[1];
}

/** Checks that folder, workspace and log belong to one session (copilot.md §9). */
export const checkFolder = (report: EventReporter, log: string): EventCheck =>
  firstOf('session.start', (logged) => {
    const session = textIn(dataOf(logged.event), 'sessionId');
    if (session === undefined) return;
    const places = [
      ['its path', sessionAt(log)],
      [WORKSPACE, report.file === '-' ? undefined : sessionInWorkspace(dirname(log))],
    ] as const;
    for (const [place, stated] of places)
      if (stated !== undefined && stated !== session)
        report.at(logged, {
          code: 'consistency/session-id',
          message: `the log belongs to the session ${named(session)}, but ${place} says ${named(stated)}`,
          path: ['data', 'sessionId'],
          expected: stated,
          actual: session,
        });
  });

/** Reports backups that the program made before it repaired the log (copilot.md §5). */
export function checkBackups(log: string, findings: Findings): void {
  const dir = dirname(log);
  for (const file of readdirSync(dir).sort()) {
    const hash = file.startsWith(basename(log)) ? BACKUP.exec(file)?.[1] : undefined;
    if (hash === undefined) continue;
    const outcome = readEpisodeFile(dir, file);
    if (outcome.kind !== 'read') continue;
    const actual = createHash('sha256').update(outcome.bytes).digest('hex');
    const isRight = actual === hash;
    findings.report({
      code: 'artifact/recovered',
      ...(!isRight && { severity: 'error' as const }),
      message: isRight
        ? 'the program found the log damaged, kept this copy and repaired the log'
        : 'the backup does not have the hash in its name',
      file,
      ...(!isRight && { expected: hash, actual }),
    });
  }
}
