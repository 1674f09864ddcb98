import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { renderJunit } from '../../src/show/render/junit.ts';
import { reports } from './arbitrary.ts';
import { doubtful, episode, flood, hostile, mixed, report } from './reports.ts';

const schema = readFileSync(new URL('schemas/junit.xsd', import.meta.url), 'utf8');

async function faultsOf(...documents: string[]): Promise<readonly string[]> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema, initialMemoryPages: 1024, maxMemoryPages: 4096 });
  return errors.map(({ rawMessage }) => rawMessage);
}

describe('renderJunit', () => {
  it.each(Object.entries({ mixed, flood, hostile, none: report() }))('renders %s', async (name, data) => {
    const xml = renderJunit(data);
    await expect(xml).toMatchFileSnapshot(`__snapshots__/junit-${name}.xml`);
    expect(await faultsOf(xml)).toEqual([]);
  });

  it('is compared with a strict schema', async () => {
    expect(await faultsOf('<testsuites><x/></testsuites>')).not.toEqual([]);
    expect(await faultsOf('<testsuites>&#1;</testsuites>')).not.toEqual([]);
  });

  it('fails on warnings if the verdict does', () => {
    const strict = report({ ...doubtful, verdict: 'fail' });
    expect(renderJunit(report(doubtful))).not.toContain('<failure');
    expect(renderJunit(strict)).toContain('<failure type="event/vocabulary"');
    expect(renderJunit({ ...report(doubtful), verdict: 'fail' })).toContain(
      '<failure type="event/vocabulary"',
    );
  });

  it('puts a finding of a stage that is not listed into a separate case', () => {
    const finding = { code: 'sequence/gap', severity: 'error', message: 'a gap', file: 'a.jsonl' } as const;
    const xml = renderJunit(
      report(episode('stream', [finding], { stages: [{ name: 'log', status: 'ran' }] })),
    );
    expect(xml).toContain('tests="2" failures="1"');
    expect(xml).toMatch(/<testcase name="events"[^>]*>\s*<failure type="sequence\/gap" message="a gap">/);
  });

  it('is valid for any input', async () => {
    const documents = fc.sample(reports, 200).map((report) => renderJunit(report));
    expect(await faultsOf(...documents)).toEqual([]);
  });
});
