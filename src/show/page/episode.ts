import { statSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { wholeCharacters } from '../../base/json/place.ts';
import { grouped } from '../../base/text/grouped.ts';
import { version } from '../../base/version.ts';
import type { FindPrices } from '../../dialects/kit/prices.ts';
import type { PartStory, Story, StoryItem } from '../../dialects/kit/story.ts';
import { partName } from '../../dialects/registry.ts';
import { type EpisodeReport, notCompared } from '../../findings/report.ts';
import type { SkippedInRun } from '../../log/corrupt-lines.ts';
import type { Corruption } from '../../log/corruption.ts';
import type { LogRecord } from '../../log/record.ts';
import { accountOfLog, accountWithCost } from '../../read/describe/account-of-log.ts';
import { CallWaits } from '../../read/describe/call-waits.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';
import { storyWithLostLines } from '../../read/describe/lost-lines.ts';
import { storyWithCosts } from '../../read/describe/story-costs.ts';
import { type LogStory, storyBuilder, storyOfLog } from '../../read/describe/story-of-log.ts';
import { type ReadPart, storyOfRun } from '../../read/describe/story-parts.ts';
import { accountView } from '../render/account-view.ts';
import { verdictText } from '../render/verdict-text.ts';
import { renderView } from '../render/view.ts';
import { proofLine } from '../render/words.ts';
import { GLANCE } from './glance.ts';
import { canRebuild } from './html.ts';
import { meaningsOf } from './meanings.ts';
import { type EpisodeDocument, LONGEST_OUTPUT, LONGEST_WHOLE, type PageVerdict } from './page-data.ts';
import { RowReader, type ViewedLog } from './read-rows.ts';

/** A page's document, and its stored lines. */
export interface EpisodePage extends SkippedInRun {
  readonly document: EpisodeDocument;
  readonly lines: Buffer;
  /** What `show` says of the run. */
  readonly glance: string;
}

/** What `show` says of a run, as text. */
function glanceOf({ name, dialect }: ViewedLog, read: LogAccount, report: EpisodeReport | undefined): string {
  const frame = {
    name,
    dialect: dialect.name,
    integrity: verdictText(report),
    notCompared: report && notCompared(report),
  };
  return renderView(accountView(read, { ...frame, isFull: true }), { ...GLANCE, zone: 'utc' });
}

function pageVerdict(report: EpisodeReport): PageVerdict {
  const { verdict, stages, findings, omitted = [] } = report;
  return { verdict, proof: proofLine({ episodes: [report] }), stages, findings, omitted };
}

/** Drops the time of an item, which the table of events has, and cuts a long output. */
function forPageItem({ time: _, ...item }: StoryItem, longest: number): StoryItem {
  if (item.kind !== 'call' || (item.output?.length ?? 0) <= longest) return item;
  // Keeps more than the limit, so that the page can tell that the output was cut, even if the cut drops half a character.
  return { ...item, output: wholeCharacters(item.output?.slice(0, longest + 2) ?? '') };
}

const withLabel = (item: StoryItem, labels: ReadonlyMap<string, string>): StoryItem =>
  item.agent === undefined ? item : { ...item, agent: labels.get(item.agent) ?? item.agent };

/**
 * The story of a run with its further logs and those of subagents. What subagents did is on the page, folded, if the logs are
 * not too long together.
 */
async function withParts(whole: LogStory, { path, dialect, run, parts }: ViewedLog): Promise<Story> {
  const others: ReadPart[] = [];
  let bytes = 0;
  for (const part of run === undefined ? (parts ?? []) : []) {
    const read = await storyOfLog(part, dialect);
    const log = relative(dirname(path), part);
    others.push({ ...read, name: partName(part), log });
    bytes += statSync(part).size;
  }
  return storyOfRun(whole, others, bytes <= LONGEST_WHOLE);
}

/**
 * How a page names the subagents of a log: by their titles, as `read` does. Two with one title have their ids too, because a
 * filter must tell them apart.
 */
function agentLabels(agents: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const byTitle = grouped(Object.entries(agents), ([, title]) => title);
  return new Map(
    Object.entries(agents).map(([id, title]) => [
      id,
      (byTitle.get(title)?.length ?? 0) > 1 ? `${title} (${id})` : title,
    ]),
  );
}

/** A story, with long outputs cut if they are so long together that a page cannot show the whole story at once. */
function forPage(
  { turns, subagent_runs: runs, ...story }: Story,
  labels: ReadonlyMap<string, string>,
): Pick<EpisodeDocument, 'story' | 'cut_outputs'> {
  const outputs = turns.flatMap(({ items }) =>
    items.map((item) => (item.kind === 'call' && item.output) || ''),
  );
  const isCut = outputs.reduce((sum, output) => sum + output.length, 0) > LONGEST_WHOLE;
  const longest = isCut ? LONGEST_OUTPUT : LONGEST_WHOLE;
  const item = (one: StoryItem): StoryItem => {
    const shown = withLabel(forPageItem(one, longest), labels);
    return shown.kind === 'call' && shown.subagents
      ? { ...shown, subagents: shown.subagents.map(part) }
      : shown;
  };
  const part = (one: PartStory): PartStory => ({
    ...one,
    // The steps of a subagent in the log of the run have its label.
    ...(one.log === undefined && { name: labels.get(one.name) ?? one.name }),
    ...(one.turns && { turns: one.turns.map((turn) => ({ ...turn, items: turn.items.map(item) })) }),
  });
  return {
    story: {
      ...story,
      ...(runs && { subagent_runs: runs.map(part) }),
      turns: turns.map((turn) => ({ ...turn, items: turn.items.map(item) })),
    },
    ...(isCut && { cut_outputs: true }),
  };
}

/**
 * Makes the page of a log. A damaged log shows its intact part, with corrupt lines in place. Throws `usage`
 * for a log that is too long for a page.
 */
export async function episodePage(
  log: ViewedLog,
  report: EpisodeReport | undefined,
  findPrices: FindPrices = async () => undefined,
): Promise<EpisodePage> {
  const { name, path, dialect, run } = log;
  const { upcasts } = dialect;
  const [reader, builder] = [new RowReader(log), await storyBuilder(dialect, run)];
  const lost: number[] = [];
  const also = {
    record(record: LogRecord) {
      reader.record(record);
      builder.add(record);
    },
    corrupt: (found: Corruption) => reader.corrupt(found),
    lost(line: number) {
      lost.push(line);
      builder.lost?.(line);
    },
  };
  const read = await accountOfLog(path, dialect, run, also, log.parts);
  const { skippedInParts, ...account } = await accountWithCost(read, findPrices);
  const { corruption, rows } = reader;
  const { table, lines } = rows.result(new CallWaits(account.account?.waits), account.start);
  const plain = builder.result();
  const details = builder.details?.();
  const { events } = account;
  const marked = storyWithLostLines(plain, lost, builder.usage !== undefined);
  const whole = { story: marked, details, events, lastLine: events };
  const story = await storyWithCosts(await withParts(whole, log), findPrices);
  const { context = [] } = details ?? {};
  const labels = agentLabels(story.agents ?? {});
  const document: EpisodeDocument = {
    kind: 'episode',
    version,
    name,
    dialect: dialect.name,
    format: dialect.title,
    file: basename(path),
    run,
    bytes: account.bytes,
    table: {
      ...table,
      agent: { ...table.agent, words: table.agent.words.map((id) => labels.get(id) ?? id) },
    },
    ...forPage(story, labels),
    ...(context.length > 1 && { context }),
    account,
    corruption: corruption && `line ${corruption.line} is damaged: ${corruption.message}`,
    verification: report && pageVerdict(report),
    meanings: meaningsOf(report?.findings ?? []),
    ...(upcasts && { upcasts }),
    states: corruption === undefined && canRebuild(dialect.name),
  };
  const glance = glanceOf(log, account, report);
  return { document, lines, glance, skipped: account.skipped, skippedInParts };
}
