import { generateKeyPairSync, verify } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { assembleReport, type Verdict } from '../../src/findings/report.ts';
import { attest, checkAttestation, openAttestation } from '../../src/verify/attest/attestation.ts';
import { hashSubjects, listSubjects, listUnhashed } from '../../src/verify/attest/subjects.ts';
import { writeTree } from '../support/temp.ts';

const pair = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

const targetsIn = (root: string, names: readonly string[]) =>
  names.map((name) => ({ name, dir: join(root, name), log: join(root, name, 'events.jsonl') }));

async function attested(files: Record<string, string>, verdicts: readonly Verdict[] = ['ok', 'ok']) {
  const root = writeTree(files);
  const targets = targetsIn(root, ['a', 'b']);
  const report = assembleReport(
    '1.2.3',
    verdicts.map((verdict, index) => ({
      episode: index === 0 ? 'a' : 'b',
      path: root,
      dialect: 'noesis',
      events: 1,
      bytes: 1,
      sealed: false,
      stages: [],
      findings: [],
      verdict,
    })),
  );
  const envelope = attest(
    report,
    DEFAULT_POLICY,
    await hashSubjects(listSubjects(targets)),
    0,
    pair.privateKey,
  );
  return { root, targets, text: JSON.stringify(envelope), envelope };
}

const FILES = { 'a/events.jsonl': '{}\n', 'a/sub/x.txt': 'x', 'b/events.jsonl': '{"b":1}\n' };

describe('an attestation', () => {
  test('is an in-toto statement in a DSSE envelope', async () => {
    const { envelope } = await attested(FILES);
    const payload = Buffer.from(envelope.payload, 'base64');
    const [signature] = envelope.signatures;
    // DSSE signs "DSSEv1", the lengths, the type and the payload, with spaces between them.
    const signed = Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} ${payload}`);
    expect(verify(null, signed, pair.publicKey, Buffer.from(signature?.sig ?? '', 'base64'))).toBe(true);
    const statement = JSON.parse(payload.toString());
    expect(statement._type).toBe('https://in-toto.io/Statement/v1');
    expect(statement.subject.map(({ name }: { name: string }) => name)).toEqual([
      'a/events.jsonl',
      'a/sub/x.txt',
      'b/events.jsonl',
    ]);
    expect(statement.predicate).toMatchObject({
      tool: { name: 'noesis', version: '1.2.3' },
      verifiedAt: '1970-01-01T00:00:00.000Z',
      verdict: 'ok',
    });
  });

  test('states the findings and the requirements, also for a single log', async () => {
    const log = join(writeTree({ 'run.jsonl': '{}\n' }), 'run.jsonl');
    const targets = [{ name: 'run.jsonl', dir: undefined, log }];
    expect(listUnhashed(targets)).toEqual([]);
    const finding = { severity: 'warn', message: 'm', file: 'run.jsonl' } as const;
    const report = assembleReport('1.2.3', [
      {
        episode: 'run.jsonl',
        path: log,
        dialect: 'generic',
        events: 1,
        bytes: 3,
        sealed: false,
        stages: [],
        findings: [
          { ...finding, code: 'seal/open' },
          { ...finding, code: 'event/vocabulary' },
          { ...finding, code: 'event/vocabulary' },
          { ...finding, code: 'state/schema' },
        ],
        omitted: [
          { code: 'event/vocabulary', severity: 'warn', count: 7 },
          { code: 'event/time', severity: 'warn', count: 1 },
        ],
        verdict: 'warn',
      },
    ]);
    const policy = {
      ...DEFAULT_POLICY,
      maxWarnings: 20,
      severities: new Map([['seal/open', 'warn']] as const),
    };
    const subjects = await hashSubjects(listSubjects(targets));
    const { payload } = attest(report, policy, subjects, 0, pair.privateKey);
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString());
    expect(statement.subject.map(({ name }: { name: string }) => name)).toEqual(['run.jsonl']);
    expect(statement.predicate.policy).toMatchObject({ maxWarnings: 20, rules: { 'seal/open': 'warn' } });
    const [{ findings }] = statement.predicate.episodes;
    expect(Object.entries(findings)).toEqual([
      ['event/time', 1],
      ['event/vocabulary', 9],
      ['seal/open', 1],
      ['state/schema', 1],
    ]);
  });

  test('fits the files as they were', async () => {
    const { text, targets } = await attested(FILES);
    const statement = openAttestation(text, [other.publicKey, pair.publicKey]);
    expect(await checkAttestation(statement, targets)).toEqual({
      fits: true,
      problems: [],
      absent: [],
      files: 3,
      verdict: 'ok',
    });
    expect(await checkAttestation(statement, targets.slice(1))).toMatchObject({
      fits: true,
      files: 1,
      absent: ['a'],
    });
  });

  test('reports changed, added and removed files', async () => {
    const { text, targets, root } = await attested(FILES);
    writeFileSync(join(root, 'a/events.jsonl'), '{ }\n');
    writeFileSync(join(root, 'b/new'), '');
    rmSync(join(root, 'a/sub/x.txt'));
    const check = await checkAttestation(openAttestation(text, [pair.publicKey]), [
      ...targets,
      ...targetsIn(writeTree({ 'c/events.jsonl': '' }), ['c']),
    ]);
    expect(check.fits).toBe(false);
    expect(check.problems).toEqual([
      { kind: 'unattested', name: 'c' },
      { kind: 'changed', name: 'a/events.jsonl' },
      { kind: 'added', name: 'b/new' },
      { kind: 'missing', name: 'a/sub/x.txt' },
    ]);
  });

  test('reports files that cannot be hashed, and requirements that were not verified', async () => {
    const { text, targets, root } = await attested(FILES);
    const statement = openAttestation(text, [pair.publicKey]);
    const asked = { strict: false, requireSeal: true, requireSignature: true };
    expect((await checkAttestation(statement, targets, asked)).problems).toEqual([
      { kind: 'unasked', name: 'requireSeal' },
      { kind: 'unasked', name: 'requireSignature' },
    ]);
    symlinkSync('/dev/null', join(root, 'a/pipe'));
    const check = await checkAttestation(statement, targets);
    expect(check).toMatchObject({ fits: false, problems: [{ kind: 'added', name: 'a/pipe' }] });
  });

  test('has the worst verdict of the given targets', async () => {
    const { text, targets } = await attested(FILES, ['ok', 'fail']);
    const statement = openAttestation(text, [pair.publicKey]);
    expect((await checkAttestation(statement, targets)).verdict).toBe('fail');
    expect((await checkAttestation(statement, targets.slice(0, 1))).verdict).toBe('ok');
    expect((await checkAttestation(statement, [])).verdict).toBe('fail');
  });

  test.each([
    ['nobody is trusted', (text: string) => text, [], /not signed with a trusted key/],
    ['somebody else signed', (text: string) => text, [other.publicKey], /not signed with a trusted key/],
    [
      'its payload was changed',
      (text: string) => text.replace('"payload":"e', '"payload":"f'),
      [pair.publicKey],
      /not signed with a trusted key/,
    ],
    [
      'its type was changed',
      (text: string) => text.replace('vnd.in-toto+json', 'json'),
      [pair.publicKey],
      /not signed with a trusted key/,
    ],
    ['it is no JSON', () => 'x', [pair.publicKey], /the envelope is not JSON/],
    ['it is not an envelope', () => '{}', [pair.publicKey], /the envelope: payloadType/],
  ])('is refused where %s', async (_, change, keys, message) => {
    const { text } = await attested(FILES);
    expect(() => openAttestation(change(text), keys)).toThrow(message);
  });

  test('refuses files that change meanwhile, and two targets with one name', async () => {
    const root = writeTree(FILES);
    const targets = targetsIn(root, ['a', 'b']);
    const listed = listSubjects(targets);
    writeFileSync(join(root, 'b/events.jsonl'), '{"b":2}\n');
    await expect(hashSubjects(listed)).rejects.toThrow(
      /b\/events\.jsonl was written to while it was verified/,
    );
    expect(() => listSubjects([...targets, ...targets.slice(0, 1)])).toThrow(/two targets are called a/);
  });
});
