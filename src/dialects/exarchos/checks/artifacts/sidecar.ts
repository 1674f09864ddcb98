import { readdir, stat } from 'node:fs/promises';
import type { JsonObject } from '../../../../base/json/value.ts';
import { ticked } from '../../../../base/json/write.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { drainedStream, type StreamFiles } from '../../names.ts';
import { knowsType, type Registered } from '../../registered.ts';
import { sidecarSchema } from '../../schema/artifacts.ts';
import { checkLines } from './lines.ts';

interface Listing {
  readonly dir: string;
  readonly changed: number;
  readonly byStream: ReadonlyMap<string, readonly string[]>;
}

/** The last listed folder. All streams of a user share one, so it is not listed again for each. */
let last: Listing | undefined;

/** The names of a stream's sidecars whose merge was interrupted (exarchos.md §1.2), sorted. */
async function drainsOf(dir: string, stream: string): Promise<readonly string[]> {
  const { mtimeMs } = await stat(dir);
  if (last === undefined || last.dir !== dir || last.changed !== mtimeMs) {
    const byStream = new Map<string, string[]>();
    for (const name of (await readdir(dir)).sort()) {
      const owner = drainedStream(name);
      if (owner !== undefined) byStream.set(owner, [...(byStream.get(owner) ?? []), name]);
    }
    last = { dir, changed: mtimeMs, byStream };
  }
  return last.byStream.get(stream) ?? [];
}

/** What the check of a sidecar needs. */
interface SidecarContext {
  readonly files: StreamFiles;
  readonly registered: Registered;
  /** Whether an event of the log has this key. */
  readonly hasKey: (key: string) => boolean;
  readonly findings: Findings;
}

/** The events that wait to be merged. */
export interface Pending {
  readonly events: number;
  /** Those that may change the state of the workflow, in the order of the merge. */
  readonly changes: readonly JsonObject[];
}

/** Types that change a state: its phase, its tasks and so on. */
const CHANGES_STATE =
  /^(?:workflow|state|task)\.|^(?:stack\.position-filled|review\.routed|synthesize\.requested)$/;

/**
 * Checks the sidecars of a stream, which contain events that are not yet in the log (exarchos.md §9). Reports how many
 * events wait, and which lines the merge will discard.
 */
export async function checkSidecars({
  files,
  registered,
  hasKey,
  findings,
}: SidecarContext): Promise<Pending> {
  const drains = await drainsOf(files.dir, files.stream);
  const seen = new Set<string>();
  let events = 0;
  const changes: JsonObject[] = [];
  for (const name of [files.sidecar, ...drains]) {
    let pending = 0;
    let repeated = 0;
    await checkLines(
      {
        dir: files.dir,
        name,
        schema: sidecarSchema,
        loss: 'the merge discards the line',
        line(logged, report) {
          const { type, idempotencyKey: key } = logged.event;
          if (typeof type === 'string' && !knowsType(registered, type)) {
            const message = `${ticked(type)} is not a built-in type: unless it is registered, the merge discards the line`;
            report.at(logged, { code: 'event/unknown-type', message, path: ['type'], actual: type });
          } else if (typeof key === 'string' && (hasKey(key) || seen.has(key))) repeated += 1;
          else {
            pending += 1;
            if (typeof type === 'string' && CHANGES_STATE.test(type)) changes.push(logged.event);
          }
          if (typeof key === 'string') seen.add(key);
        },
      },
      findings,
    );
    events += pending;
    if (pending + repeated === 0) continue;
    const again = repeated === 0 ? '' : `, and ${repeated} whose key is already stored`;
    const orphaned = name !== files.sidecar;
    findings.report({
      code: 'artifact/pending-events',
      message: orphaned
        ? `events not in the log: ${pending}${again}; their merge was interrupted, and nothing will finish it`
        : `events that wait to be merged into the log: ${pending}${again}; their effects are not known yet`,
      file: name,
      ...(orphaned && pending > 0 && { severity: 'warn' }),
    });
  }
  return { events, changes };
}
