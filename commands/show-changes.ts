import type { Context } from '../src/cli/context.ts';
import type { OpenLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped, requireEvents } from '../src/cli/targets/partial.ts';
import { logsOfRun } from '../src/cli/targets/parts.ts';
import { changesOfStory, type PartStory } from '../src/read/describe/changes-of-story.ts';
import { storyOfLog } from '../src/read/describe/story-of-log.ts';
import { changesText } from '../src/show/render/changes.ts';

/** Prints the file changes of a run. Corrupt lines are skipped and named. */
export async function showChanges(context: Context, log: OpenLog): Promise<void> {
  const read = await storyOfLog(log.path, log.dialect, { run: log.run });
  requireEvents(log.label, read);
  const { story, skipped } = read;
  const [, ...others] = logsOfRun(context, log);
  const parts: PartStory[] = [];
  for (const { name, path, dialect } of others)
    parts.push({ name, story: (await storyOfLog(path, dialect)).story });
  const changes = changesOfStory(story, parts);
  if (context.json) {
    const document = { episode: log.name, dialect: log.dialect.name, ...changes };
    await context.printJson(document);
  } else {
    const lines = changesText(changes, { width: context.cutWidth, style: await context.style });
    await context.show(`${lines.join('\n')}\n`);
  }
  await failIfSkipped(context, log.label, skipped);
}
