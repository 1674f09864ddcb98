import type { Context } from '../src/cli/context.ts';
import { changesOfRun } from '../src/cli/targets/changed-files.ts';
import type { OpenLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped, requireEvents } from '../src/cli/targets/partial.ts';
import { readLogsOf } from '../src/cli/targets/parts.ts';
import { withNet } from '../src/read/describe/changes-of-story.ts';
import { changesText } from '../src/show/render/changes.ts';

/** Prints the file changes of a run. `isNet`: one diff per file. Corrupt lines are skipped and named. */
export async function showChanges(context: Context, log: OpenLog, isNet: boolean): Promise<void> {
  const { read, skippedInParts, changes: sums } = await changesOfRun(context, log);
  requireEvents(log.label, read);
  const changes = withNet(sums);
  const logs = readLogsOf(context, log, { skipped: read.skipped, skippedInParts });
  if (context.json) {
    const skipped = read.skipped && { skipped: read.skipped };
    const document = { episode: log.name, dialect: log.dialect.name, ...changes, ...skipped };
    await context.printJson(document);
  } else {
    const damaged = logs.reduce((sum, { skipped }) => sum + (skipped?.count ?? 0), 0);
    const lines = changesText(changes, {
      width: context.cutWidth,
      style: await context.style,
      damaged,
      isNet,
    });
    await context.show(`${lines.join('\n')}\n`);
  }
  await failIfSkipped(context, logs);
}
