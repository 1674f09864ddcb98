import { isObject } from '../../../json/value.ts';
import type { FromLog } from '../model/facts.ts';
import type { EpisodeContents } from './contents.ts';
import { checkLines } from './lines.ts';
import { LEARN_FILE, PROMPTS_FILE } from './names.ts';
import { PromptLinks } from './prompt-links.ts';
import { checkLearnRecord, checkOwner, checkPromptRecord } from './records.ts';

/**
 * Checks learn.jsonl. Returns the ids of its records and proposals; undefined if a line could not be read.
 */
export async function checkLearn(
  contents: EpisodeContents,
  episode: FromLog<string> | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (!contents.has(LEARN_FILE)) return undefined;
  const ids = new Set<string>();
  const isWhole = await checkLines(contents, LEARN_FILE, (logged, report) => {
    checkLearnRecord(logged, report);
    checkOwner(logged, report, episode);
    if (logged.id !== undefined) ids.add(logged.id);
    const { payload } = logged.event;
    if (isObject(payload) && typeof payload['id'] === 'string') ids.add(payload['id']);
  });
  return isWhole ? ids : undefined;
}

/** Checks prompts.jsonl. Returns the references to events, to be checked with the log. */
export async function checkPrompts(
  contents: EpisodeContents,
  episode: FromLog<string> | undefined,
): Promise<PromptLinks> {
  const links = new PromptLinks();
  if (!contents.has(PROMPTS_FILE)) return links;
  await checkLines(contents, PROMPTS_FILE, (logged, report) => {
    links.add(logged.record);
    checkPromptRecord(logged, report);
    checkOwner(logged, report, episode);
  });
  return links;
}
