import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../src/base/json/parse.ts';
import { isNumber } from '../../../src/base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { writeJson } from '../../../src/base/json/write.ts';
import { EditedEpisode } from '../../support/edited-episode.ts';
import { isWhole, sampled } from '../../support/length.ts';
import { realEpisodes } from '../../support/runtime-episodes.ts';
import { tempDir } from '../../support/temp.ts';

const root = tempDir();

/** The sealed episodes; of the one with NaN the log is corrupt as it is. */
const sealed = realEpisodes().filter((episode) => episode.sealed && episode.name !== 'produced/nan-tag');

const eventOn = (line: string): JsonObject => parseExactJson(line) as JsonObject;

const HASHED_OF_DECISION = [
  'policy_id',
  'policy_version',
  'policy_kind',
  'decision',
  'rule_id',
  'score',
  'message',
  'details',
];

const HASHED_OF_DIRECTIVE = [
  'policy_id',
  'policy_version',
  'policy_kind',
  'steps',
  'status',
  'reason',
  'applied',
  'diff',
];

/** The fields of a payload that go into an id. */
function hashedFields({ phase, payload }: JsonObject): readonly string[] {
  if (phase === 'governance') return HASHED_OF_DECISION;
  if (phase === 'direction') return HASHED_OF_DIRECTIVE;
  if (phase !== 'action_candidate' || !isObject(payload)) return [];
  return Object.keys(payload).filter((key) => key !== 'action_candidate_id');
}

/** Another value of the same kind. */
function edited(value: JsonValue | undefined): JsonValue {
  if (value === 'veto') return 'allow';
  if (value === 'allow') return 'veto';
  if (typeof value === 'string') return `${value}!`;
  if (typeof value === 'boolean') return !value;
  if (isNumber(value)) return 1 - Number(value) / 2;
  if (Array.isArray(value)) return value.slice(0, -1).concat(value.length === 0 ? ['new'] : []);
  return isObject(value) ? { ...value, new: 'key' } : 'new';
}

/** The line again with its payload changed. */
function changed(line: string, change: (payload: JsonObject) => void): string {
  const event = eventOn(line);
  if (isObject(event['payload'])) change(event['payload']);
  return writeJson(event);
}

describe('an edit that a new manifest covers is detected', { timeout: 300_000 }, () => {
  const episodes = sealed.map((episode) => [episode.name, episode.id, episode] as const);

  test.each(sampled(episodes, 4))(
    'in %s/%s: every field of a decision, a directive and a candidate',
    async (_, __, episode) => {
      const copy = new EditedEpisode(episode, root);
      const unseen: string[] = [];
      for (const [index, line] of copy.lines.entries()) {
        const event = eventOn(line);
        for (const field of hashedFields(event)) {
          const edits = {
            edited: changed(line, (payload) => {
              payload[field] = edited(payload[field]);
            }),
            removed: changed(line, (payload) => {
              delete payload[field];
            }),
          };
          for (const [how, text] of Object.entries(edits)) {
            const found = await copy.findingsOf(copy.lines.with(index, text));
            const isSeen = found.some(({ severity, line: at }) => severity === 'error' && at === index + 1);
            if (!isSeen) unseen.push(`line ${index + 1}: ${String(event['phase'])}.${field} ${how}`);
          }
        }
      }
      expect(unseen).toEqual([]);
    },
  );

  test('there are decisions, directives and candidates to edit', () => {
    const phases = sealed.flatMap(({ log }) =>
      readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => eventOn(line)['phase']),
    );
    for (const [phase, count] of [
      ['governance', 27],
      ['direction', 9],
      ['action_candidate', 27],
    ] as const)
      expect(phases.filter((one) => one === phase).length).toBeGreaterThanOrEqual(count);
  });
});

/** The name of an event in docs/limits.md. */
function nameOf({ phase, payload, event_type: type }: JsonObject): string {
  if (isObject(payload) && payload['synthetic'] === true) return 'roll-up act';
  return typeof type === 'string' ? type : String(phase);
}

/** Events of which some can be taken out of a sealed log unseen: how many of all that there are. */
const SILENT: Readonly<Record<string, string>> = {
  'roll-up act': '42 of 42',
  insight: '46 of 46',
  learn: '50 of 50',
  memory: '46 of 46',
  // A run that interrupted itself may continue without a resume.
  'run.resume': '1 of 13',
  'run.state_projection': '6 of 17',
};

test('a removed event is noticed, except for those that docs/limits.md lists', {
  timeout: 300_000,
}, async () => {
  const all = new Map<string, number>();
  const silent = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const episode of sampled(sealed, 4)) {
    const copy = new EditedEpisode(episode, root);
    for (const [index, line] of copy.lines.entries()) {
      const name = nameOf(eventOn(line));
      count(all, name);
      if ((await copy.findingsOf(copy.lines.toSpliced(index, 1))).length === 0) count(silent, name);
    }
  }
  const found = [...silent].map(([name, unseen]) => [name, `${unseen} of ${all.get(name)}`]);
  if (isWhole) expect(Object.fromEntries(found)).toEqual(SILENT);
  else expect(Object.keys(SILENT)).toEqual(expect.arrayContaining([...silent.keys()]));
  const limits = readFileSync('docs/limits.md', 'utf8');
  for (const name of silent.keys()) expect(limits).toContain(`| ${name} |`);
});

/** Other values of the same kind: another text, the next digit, a later time of the same second. */
function otherValues(value: JsonValue | undefined): JsonValue[] {
  if (typeof value !== 'string') return [edited(value)];
  if (/^[-\d]{10}T/.test(value))
    return [edited(value), value.replace(/\d(?=[Z+])/, (digit) => `${9 - Number(digit)}`)];
  const next = value.replace(/[\da-f]$/, (digit) => (digit === '0' ? '1' : '0'));
  return next === value ? [edited(value)] : [edited(value), next];
}

test('docs/limits.md says which members of the events about a veto can be edited unseen', {
  timeout: 300_000,
}, async () => {
  const PHASES = ['action_candidate', 'direction', 'governance'];
  const unseen = new Map(
    PHASES.map((phase) => [phase, { edited: new Set<string>(), removed: new Set<string>() }]),
  );
  const vetoed = sealed.filter(({ name }) => /veto/.test(name));
  for (const episode of vetoed) {
    const copy = new EditedEpisode(episode, root);
    const tryEdit = async (index: number, change: (event: JsonObject) => void): Promise<boolean> => {
      const event = eventOn(copy.lines[index] ?? '');
      change(event);
      return (await copy.findingsOf(copy.lines.with(index, writeJson(event)))).length === 0;
    };
    for (const [index, line] of copy.lines.entries()) {
      const event = eventOn(line);
      const found = unseen.get(String(event['phase']));
      if (found === undefined) continue;
      for (const inPayload of [false, true]) {
        const membersOf = (one: JsonObject) => (inPayload ? (one['payload'] as JsonObject) : one);
        for (const [key, value] of Object.entries(membersOf(event))) {
          if (key === 'payload' && !inPayload) continue;
          const name = inPayload ? `payload.${key}` : key;
          if (await tryEdit(index, (one) => delete membersOf(one)[key])) found.removed.add(name);
          for (const other of otherValues(value))
            if (
              await tryEdit(index, (one) => {
                membersOf(one)[key] = other;
              })
            )
              found.edited.add(name);
        }
      }
    }
  }
  const cell = (names: ReadonlySet<string>) =>
    names.size === 0
      ? 'none'
      : [...names]
          .sort()
          .map((name) => `\`${name}\``)
          .join(', ');
  const rows = [...unseen].map(
    ([phase, found]) => `| ${phase} | ${cell(found.edited)} | ${cell(found.removed)} |`,
  );
  expect(vetoed.length).toBeGreaterThanOrEqual(5);
  const page = readFileSync('docs/limits.md', 'utf8').split('\n');
  const head = page.findIndex((line) => line.startsWith('| event about a veto |'));
  expect(page.slice(head + 2, head + 2 + rows.length)).toEqual(rows);
});
