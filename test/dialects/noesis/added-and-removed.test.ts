import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/base/json/parse.ts';
import { isObject, type JsonObject } from '../../../src/base/json/value.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { isWhole, sampled } from '../../support/length.ts';
import { type RealEpisode, realEpisodes } from '../../support/runtime-episodes.ts';
import { tempDir } from '../../support/temp.ts';

const PAGE = 'docs/limits.md';
const OLD = new Date('2026-01-01T00:00:00Z');
const SETS = ['produced', 'newest', 'life-newest'];

/** The name of an event on the page. */
function nameOf({ phase, payload, event_type: type }: JsonObject): string {
  if (isObject(payload) && payload['synthetic'] === true) return 'roll-up act';
  return typeof type === 'string' ? type : String(phase);
}

const eventsOf = ({ log }: RealEpisode): JsonObject[] =>
  readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);

/** One episode of each order of events. */
function differentEpisodes(): { readonly episode: RealEpisode; readonly events: JsonObject[] }[] {
  const found = new Map<string, { episode: RealEpisode; events: JsonObject[] }>();
  for (const episode of realEpisodes()) {
    const [set = ''] = episode.name.split('/');
    if (!SETS.includes(set) || /nan-tag|surrogate-task/.test(episode.name)) continue;
    const events = eventsOf(episode);
    const order = events.map(nameOf).join(' ');
    if (!found.has(order)) found.set(order, { episode, events });
  }
  return [...found.values()];
}

const linkedTo = (event: JsonObject, from: unknown, to: unknown): JsonObject => {
  if (event['caused_by'] !== from) return event;
  const { caused_by: _, ...rest } = event;
  return to === undefined ? rest : { ...rest, caused_by: to as string };
};

/** The edits of one event, in the order of the columns of the page. */
const EDITS: readonly ((events: readonly JsonObject[], at: number) => JsonObject[])[] = [
  (events, at) => events.toSpliced(at, 1),
  (events, at) => {
    const { id, caused_by: cause } = events[at] as JsonObject;
    return events.toSpliced(at, 1).map((event) => linkedTo(event, id, cause));
  },
  (events, at) => events.toSpliced(at + 1, 0, { ...events[at], id: '00000000-0000-4000-8000-000000000000' }),
];

const sentence = ({ code, message }: Finding): string => `${code} ${message.replaceAll(/\d+/g, '#')}`;

/** The errors and warnings of an episode that nothing seals, with other events in its log. */
async function findingsWith(dir: string, events: readonly JsonObject[]): Promise<string[]> {
  writeFileSync(join(dir, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  // Of files that were just written, verification waits for more.
  for (const name of readdirSync(dir)) utimesSync(join(dir, name), OLD, OLD);
  const { findings } = await verifyEpisode(dir);
  return findings.filter(({ severity }) => severity !== 'info').map(sentence);
}

/** `seen: codes`, `unseen`, or `unseen in 2 of 9; else codes`. */
function cellOf(results: readonly (readonly string[])[]): string {
  const unseen = results.filter((codes) => codes.length === 0).length;
  const codes = [...new Set(results.flat())].sort().map((code) => `\`${code}\``);
  if (unseen === 0) return codes.join(', ');
  return unseen === results.length
    ? 'unseen'
    : `unseen in ${unseen} of ${results.length}; else ${codes.join(', ')}`;
}

test(`${PAGE} says which events can be removed from or added to an unsealed log unseen`, {
  timeout: 300_000,
}, async () => {
  const root = tempDir();
  const results = new Map<string, [string[][], string[][], string[][]]>();
  const episodes = differentEpisodes();
  const kinds = sampled([...new Set(episodes.flatMap(({ events }) => events.map(nameOf)))].sort(), 1);
  for (const [index, { episode, events }] of episodes.entries()) {
    if (!events.some((event) => kinds.includes(nameOf(event)))) continue;
    const dir = join(root, String(index), episode.id);
    mkdirSync(dir, { recursive: true });
    cpSync(episode.dir, dir, { recursive: true });
    for (const name of ['final.json', 'manifest.json']) rmSync(join(dir, name), { force: true });
    const before = await findingsWith(dir, events);
    const names = events.map(nameOf);
    for (const [at, name] of names.entries()) {
      if (names.indexOf(name) !== at || !kinds.includes(name)) continue;
      const row = results.get(name) ?? [[], [], []];
      results.set(name, row);
      for (const [column, edit] of EDITS.entries()) {
        const left = [...before];
        const added = (await findingsWith(dir, edit(events, at))).filter((one) => {
          const known = left.indexOf(one);
          if (known !== -1) left.splice(known, 1);
          return known === -1;
        });
        row[column]?.push([...new Set(added.map((one) => one.split(' ')[0] ?? ''))]);
      }
    }
  }
  const rows = [...results].map(([name, row]) => `| ${[name, ...row.map(cellOf)].join(' | ')} |`).sort();
  const page = readFileSync(PAGE, 'utf8').split('\n');
  const head = page.findIndex((line) => line.startsWith('| event | removed |'));
  const end = page.findIndex((line, at) => at > head && !line.startsWith('|'));
  const onPage = page.slice(head + 2, end);
  const isOfKinds = (row: string) => kinds.some((name) => row.startsWith(`| ${name} |`));
  expect(isWhole ? onPage : onPage.filter(isOfKinds)).toEqual(rows);
});
