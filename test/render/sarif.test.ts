import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Log, Result } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import type { VerifyReport } from '../../src/findings/report.ts';
import { renderSarif } from '../../src/show/render/sarif.ts';
import { reports } from './arbitrary.ts';
import {
  broken,
  catalogue,
  doubtful,
  episode,
  flood,
  hostile,
  invalidJson,
  mixed,
  ROOT,
  report,
} from './reports.ts';

const schema = JSON.parse(readFileSync(new URL('schemas/sarif-2.1.0.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(schema);

function sarif(data: VerifyReport): Log {
  const log: Log = JSON.parse(renderSarif(data, { catalogue, relativeTo: ROOT }));
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  return log;
}

function results(data: VerifyReport): Result[] {
  return sarif(data).runs[0]?.results ?? [];
}

function fingerprints(data: VerifyReport): (string | undefined)[] {
  return results(data).map(({ partialFingerprints }) => partialFingerprints?.['noesisFinding/v1']);
}

function uris(...findings: Partial<Finding>[]) {
  const data = report(
    episode(
      'ep',
      findings.map((finding) => ({ ...invalidJson, ...finding })),
      { path: `${ROOT}/runs/ep #1` },
    ),
  );
  return results(data).map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation);
}

describe('renderSarif', () => {
  it.each(Object.entries({ mixed, hostile, none: report() }))('renders %s', async (name, data) => {
    sarif(data);
    await expect(renderSarif(data, { catalogue, relativeTo: ROOT })).toMatchFileSnapshot(
      `__snapshots__/sarif-${name}.json`,
    );
  });

  it('is compared with a strict schema', () => {
    expect(validate({ version: '2.1.0' })).toBe(false);
    expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, time: 1 }] })).toBe(false);
  });

  it('names files by URIs below the root', () => {
    expect(
      uris({}, { file: 'prompts/ü%.json' }, { file: '../../etc/passwd' }, { file: '/etc/passwd' }),
    ).toEqual([
      { uri: 'runs/ep%20%231/events.jsonl', uriBaseId: '%SRCROOT%' },
      { uri: 'runs/ep%20%231/prompts/%C3%BC%25.json', uriBaseId: '%SRCROOT%' },
      { uri: 'runs/ep%20%231', uriBaseId: '%SRCROOT%' },
      { uri: 'runs/ep%20%231', uriBaseId: '%SRCROOT%' },
    ]);
  });

  it.each([
    ['/elsewhere/ep', 'events.jsonl', { uri: 'file:///elsewhere/ep/events.jsonl' }],
    ['C:\\runs\\ep', 'events.jsonl', { uri: 'file:///C:/runs/ep/events.jsonl' }],
    ['\\\\host\\share\\ep', 'events.jsonl', { uri: 'file://host/share/ep/events.jsonl' }],
    ['/logs/stream.events.jsonl', 'stream.events.jsonl', { uri: 'file:///logs/stream.events.jsonl' }],
    ['/logs/stream.events.jsonl', 'stream.state.json', { uri: 'file:///logs/stream.state.json' }],
    ['-', 'events.jsonl', { uri: '-' }],
  ])('names a file of %s', (path, file, location) => {
    const data = report(episode('ep', [{ ...invalidJson, file }], { path }));
    expect(results(data)[0]?.locations?.[0]?.physicalLocation?.artifactLocation).toEqual(location);
  });

  it('knows a finding again when the lines above it shift', () => {
    const shifted = broken.findings.map((finding) =>
      finding.line === undefined
        ? finding
        : { ...finding, line: finding.line + 3, byteStart: 9000, byteEnd: 9001 },
    );
    const before = fingerprints(report(broken));
    expect(fingerprints(report({ ...broken, findings: shifted }))).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  });

  it('distinguishes equal findings', () => {
    const prints = fingerprints(flood);
    expect(new Set(prints).size).toBe(1001);
  });

  it('keeps the worst of too many, and says so', () => {
    const many = Array.from(
      { length: 25_010 },
      (_, index): Finding => ({ ...invalidJson, severity: 'warn', line: index + 1 }),
    );
    const log = sarif(report(episode('ep', many), broken));
    const run = log.runs[0];
    expect(run?.results?.length).toBe(25_000);
    expect(run?.results?.slice(0, 3).map(({ level }) => level)).toEqual(['error', 'error', 'warning']);
    expect(run?.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toMatch(
      /^14 findings left out/,
    );
  });

  it('lets no trace text become a link', () => {
    const [result] = results(
      report(episode('ep', [{ ...invalidJson, message: 'see [here](https://e.vil)' }])),
    );
    expect(result?.message.text).toContain('[here] (https://e.vil)');
  });

  it('is valid for any input, and the same each time', () => {
    fc.assert(
      fc.property(reports, (data) => {
        sarif(data);
        const text = renderSarif(data, { catalogue, relativeTo: ROOT });
        expect(renderSarif(structuredClone(data), { catalogue, relativeTo: ROOT })).toBe(text);
      }),
    );
  });

  it('has a rule for every result', () => {
    const run = sarif(report(doubtful, broken)).runs[0];
    for (const result of run?.results ?? []) {
      expect(run?.tool.driver.rules?.[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
    }
  });
});
