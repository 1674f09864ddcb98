import type { Findings } from '../../../findings/findings.ts';
import type { CustomTypes } from '../custom-types.ts';
import type { StreamFiles } from '../names.ts';
import { sidecarSchema } from '../schema/artifacts.ts';
import { drainsOf } from './drains.ts';
import { checkLines } from './lines.ts';

/** What the merge of a sidecar depends on. */
export interface SidecarContext {
  readonly files: StreamFiles;
  readonly types: CustomTypes;
  /** Whether an event of the log has a key already. */
  readonly hasKey: (key: string) => boolean;
  readonly findings: Findings;
}

/**
 * The sidecars of a stream: events that are recorded and not yet in the log (exarchos.md §9). That one is there is
 * no fault; what the merge will make of its lines is worth knowing. True when there was any.
 */
export async function checkSidecars({ files, types, hasKey, findings }: SidecarContext): Promise<boolean> {
  const drains = await drainsOf(files.dir, files.stream);
  const seen = new Set<string>();
  let found = false;
  for (const name of [files.sidecar, ...drains]) {
    let pending = 0;
    let repeated = 0;
    const there = await checkLines(
      {
        dir: files.dir,
        name,
        schema: sidecarSchema,
        loss: 'the merge throws the line away',
        line(logged, report) {
          const { type, idempotencyKey: key } = logged.event;
          if (typeof type === 'string' && !types.knows(type)) {
            const message = `\`${type}\` is no built-in type: unless it is registered, the merge throws the line away`;
            report.at(logged, { code: 'event/unknown-type', message, path: ['type'], actual: type });
          } else if (typeof key === 'string' && (hasKey(key) || seen.has(key))) repeated += 1;
          else pending += 1;
          if (typeof key === 'string') seen.add(key);
        },
      },
      findings,
    );
    found ||= there;
    if (pending + repeated === 0) continue;
    const again = repeated === 0 ? '' : `, besides ${repeated} whose key is stored already`;
    const orphaned = name !== files.sidecar;
    findings.report({
      code: 'artifact/pending-events',
      message: orphaned
        ? `events not in the log: ${pending}${again}; their merge was cut off, and nothing takes them up again`
        : `events that wait to be merged into the log: ${pending}${again}`,
      file: name,
      ...(orphaned && pending > 0 && { severity: 'warn' }),
    });
  }
  return found;
}
