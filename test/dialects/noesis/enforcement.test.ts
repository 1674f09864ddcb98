import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../src/base/json/parse.ts';
import { isObject, type JsonObject } from '../../../src/base/json/value.ts';
import { writeJson } from '../../../src/base/json/write.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { EditedEpisode } from '../../support/edited-episode.ts';
import { realEpisodes } from '../../support/runtime-episodes.ts';
import { tempDir } from '../../support/temp.ts';

const root = tempDir();

const episodes = realEpisodes().filter(({ sealed, name }) => sealed && name !== 'produced/nan-tag');

const episodeNamed = (name: string) => {
  const found = episodes.find((episode) => episode.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return new EditedEpisode(found, root);
};

/** The lines with a change of the payloads of one phase. */
const withPayloads = (
  { lines }: EditedEpisode,
  phase: string,
  change: (payload: JsonObject) => void,
): readonly string[] =>
  lines.map((line) => {
    const event = parseExactJson(line);
    if (!isObject(event) || event['phase'] !== phase || !isObject(event['payload'])) return line;
    change(event['payload']);
    return writeJson(event);
  });

/** Another digit or letter at the end of the id. */
const broken = (id: unknown): string => {
  const text = String(id);
  return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
};

/** Breaks every id and hash of content in a log. */
function breakAll(lines: readonly string[]): readonly string[] {
  let text = lines.join('\n');
  const ids = text.matchAll(/"(?:governance_id|directive_id|action_candidate_id|state_hash)":"([^"]+)"/g);
  for (const id of new Set([...ids].map(([, one]) => one ?? ''))) text = text.replaceAll(id, broken(id));
  return text.split('\n');
}

const governed = episodes.filter(({ name }) =>
  /gov-enforce-allow|gov-enforce-veto$|readme-flow-meta/.test(name),
);

test.each(governed.map((episode) => [episode.name, episode] as const))(
  'in %s a changed decision is an error also when every id of the log was broken',
  async (_, episode) => {
    const copy = new EditedEpisode(episode, root);
    const edited = withPayloads(copy, 'governance', (payload) => {
      payload['message'] = 'nothing to see';
    });
    const errors = (await copy.findingsOf(breakAll(edited))).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code }) => code)).toContain('governance/content-id');
  },
);

describe('the fields about enforcement', () => {
  const set =
    (changes: JsonObject) =>
    (payload: JsonObject): void => {
      Object.assign(payload, changes);
    };

  test.each([
    ['produced/gov-enforce-veto', { enforced: false }, ['governance/enforcement', 'governance/veto-missing']],
    ['produced/gov-enforce-veto', { mode: 'audit' }, ['consistency/mode', 'governance/enforcement']],
    [
      'produced/gov-enforce-veto',
      { mode: 'audit', enforced: false },
      ['consistency/mode', 'governance/veto-missing'],
    ],
    ['produced/gov-audit-veto', { enforced: true }, ['governance/act-after-veto', 'governance/enforcement']],
    ['produced/gov-enforce-allow-adapter', { enforced: true }, ['governance/enforcement']],
    ['produced/gov-error-open', { enforced: true }, ['governance/enforcement']],
    ['life-core/readme-flow-meta', { mode: 'audit', enforced: false }, ['governance/enforcement']],
  ] as const)('in %s with %j is compared with the run', async (name, changes, codes) => {
    const copy = episodeNamed(name);
    const found = await copy.findingsOf(withPayloads(copy, 'governance', set(changes)));
    expect([...new Set(found.map(({ code }) => code))].sort()).toEqual(expect.arrayContaining([...codes]));
  });

  test.each([
    ['mode', 'audit'],
    ['failure_policy', 'fail_open'],
  ])('a run does not change its %s', async (key, value) => {
    const copy = episodeNamed('produced/gov-enforce-allow-adapter');
    const at = copy.lines.findIndex((line) => line.includes('"phase":"governance"'));
    const line = copy.lines[at] ?? '';
    const again = line
      .replace(/"id":"[^"]+"/, '"id":"again"')
      .replace(new RegExp(`"${key}":"[^"]+"`), `"${key}":"${value}"`);
    const found = await copy.findingsOf(copy.lines.toSpliced(at + 1, 0, again));
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'governance/enforcement', path: `payload.${key}` }),
    );
  });
});

describe('ids that do not match are one note if another program made them', () => {
  const { lines } = episodeNamed('produced/gov-enforce-allow-adapter');
  const decisions = lines.filter((line) => line.includes('"phase":"governance"'));
  const text = breakAll([...lines, ...decisions]).join('\n');

  test.each([
    ['the id of the episode has no ULID', text.replaceAll(/ep_[0-9A-Z]{26}/g, 'ep_demo'), 'ep_demo'],
    [
      'no decision has schema_version 1.1.0',
      text.replaceAll('"schema_version":"1.1.0","score"', '"schema_version":"9.0","score"'),
      'ep_x',
    ],
    ['no candidate names its adapter', text.replaceAll('"adapter_label"', '"label"'), 'ep_x'],
  ])('%s', async (why, log, name) => {
    const dir = join(root, name, why.replaceAll(/\W/g, '-'));
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'events.jsonl'), `${log}\n`);
    const { findings } = await verifyEpisode(join(dir, 'events.jsonl'));
    const ofIds = findings.filter(({ code }) => /content-id|candidate-id|state-hash/.test(code));
    expect(ofIds).toMatchObject([
      {
        severity: 'info',
        message: expect.stringContaining(`not made by the runtime, so they cannot reveal edits (${why})`),
      },
    ]);
  });
});
