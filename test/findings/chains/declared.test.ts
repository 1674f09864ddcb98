import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Profile,
  type Profiles,
  profileSchema,
  profilesSchema,
} from '../../../src/findings/chains/profile.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { Findings } from '../../../src/findings/findings.ts';
import { checkLog } from '../../../src/findings/log-stage.ts';
import { DEFAULT_POLICY } from '../../../src/findings/policy.ts';
import { LogForm } from '../../../src/log/log-form.ts';
import { membersLayout } from '../../../src/log/row-layout.ts';
import { CHAIN_SAMPLES, verifyChained } from './chain-samples.ts';
import { at, chain, type Line, MINE, sumOf, write } from './declared-chain.ts';

/** The errors of a log: code, line and message. */
async function errors(lines: readonly unknown[], profiles: Profiles = { mine: MINE }) {
  const { findings } = await verifyChained(write(lines), { profiles });
  return findings
    .filter(({ code, severity }) => code.startsWith('chain/') && severity === 'error')
    .map(({ code, line, message }: Finding) => ({ code, line, message }));
}

describe('a declared chain', () => {
  it('names the records of further chains if a log has too many', async () => {
    const grouped = [...'abca'].map((run, number) => {
      const record = { prev: 'start', run, seq: 1 };
      return { ...record, sum: hash('sha256', JSON.stringify(number < 3 ? record : {}), 'hex') };
    });
    const findings = new Findings(DEFAULT_POLICY);
    const profiles = { mine: { ...MINE, group: 'run' } };
    const chain = { profiles, key: () => undefined, requireSignature: false, mostChains: 2 };
    await checkLog(
      { path: write(grouped), file: 'log.jsonl', checks: [], form: LogForm.stored(membersLayout()), chain },
      findings,
    );
    const places = findings.conclude().findings.map(({ code, line }) => `${code} ${line}`);
    expect(places).toContain('chain/uncovered 3');
    // The other chains are checked as usual.
    expect(places).toContain('chain/broken-link 4');
    expect(findings.chains).toMatchObject([{ chains: [{ chains: 2 }], isComplete: false }]);
  });

  it('holds for its own records', async () => {
    const log = write(chain(5));
    const { findings, level, dialect, chains } = await verifyChained(log, { profiles: { mine: MINE } });
    expect(findings.map(({ code }) => code)).toEqual(['chain/no-guard']);
    expect([level, dialect]).toEqual(['consistent', 'generic']);
    expect(chains).toMatchObject([{ name: 'mine', records: 5 }]);
  });

  it('holds however the texts of links and hashes are stored', async () => {
    const escaped = ({ prev, sum, ...rest }: Line): string => {
      const hex = (text: string) => `\\u00${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
      return `{"seq":${rest.seq},"prev":"${hex(prev)}","text":"${rest.text}","sum":"${hex(sum)}"}`;
    };
    const lines = chain(6);
    expect(await errors(lines.map(escaped))).toEqual([]);
    expect(await errors(lines.map((line, index) => (index === 2 ? escaped(line) : line)))).toEqual([]);
    const changed = { ...at(lines, 3), prev: `${at(lines, 3).prev.slice(0, -1)}é` };
    expect(await errors(lines.with(3, changed))).toMatchObject([{ code: 'chain/broken-link', line: 4 }]);
  });

  it('counts on from numbers of any size', async () => {
    const from = (first: number) => {
      const lines: Line[] = [];
      for (let seq = first; seq < first + 4; seq += 1) {
        const record = { seq, prev: lines.at(-1)?.sum ?? 'start', text: 'step' };
        lines.push({ ...record, sum: sumOf(record) });
      }
      return lines;
    };
    for (const start of [-2, 0, 1, 999_999_999_999_998, 9_000_000_000_000_000]) {
      const mine = { ...MINE, sequence: { member: 'seq', start } };
      expect(await errors(from(start), { mine })).toEqual([]);
      expect(await errors(from(start + 1).slice(0, 1), { mine })).toMatchObject([
        { code: 'chain/sequence', line: 1 },
      ]);
      expect(await errors(from(start + 1), { mine })).toMatchObject([{ code: 'chain/sequence', line: 1 }]);
    }
  });

  it('reports the sequence once, whether the records after it count on from the wrong number or from the right one', async () => {
    const numbered = (numbers: readonly number[]) => {
      const lines: Line[] = [];
      for (const seq of numbers) {
        const record = { seq, prev: lines.at(-1)?.sum ?? 'start', text: 'step' };
        lines.push({ ...record, sum: sumOf(record) });
      }
      return lines;
    };
    const mine = { ...MINE, sequence: { member: 'seq', start: 0 } };
    for (const numbers of [
      [0, 1, 5, 6, 7],
      [0, 1, 5, 3, 4],
      [0, 1, 1, 2, 3],
    ])
      expect(await errors(numbered(numbers), { mine })).toMatchObject([{ code: 'chain/sequence', line: 3 }]);
    expect(await errors(numbered([0, 5, 6, 9, 10]), { mine })).toMatchObject([
      { code: 'chain/sequence', line: 2 },
      { code: 'chain/sequence', line: 4 },
    ]);
  });

  it('reports a changed record once, with its line', async () => {
    const lines = chain(6);
    expect(await errors(lines.with(2, { ...at(lines, 2), text: 'other' }))).toMatchObject([
      { code: 'chain/hash', line: 3 },
    ]);
  });

  it('reports an added record without the members of the chain once', async () => {
    const lines = chain(6);
    for (const place of [2, 6])
      expect(await errors(lines.toSpliced(place, 0, { text: 'added' } as Line))).toMatchObject([
        { code: 'chain/missing-member', line: place + 1, message: expect.stringContaining('prev') },
      ]);
  });

  it('says that the keys in the records are not in the encoding of the profile', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'jwk' }).x ?? '';
    const signed = (own: (line: Line) => string) =>
      chain(3).map((line) => ({
        ...line,
        key: own(line),
        sig: sign(null, Buffer.from(line.sum), privateKey).toString('hex'),
      }));
    const profile = (key_encoding?: 'base64url'): Profiles => ({
      mine: {
        ...MINE,
        without: ['sum', 'sig', 'key'],
        signature: {
          member: 'sig',
          algorithm: 'Ed25519',
          over: [{ member: 'sum' }],
          key: 'key',
          key_encoding,
        },
      },
    });
    expect(
      await errors(
        signed(() => key),
        profile('base64url'),
      ),
    ).toEqual([]);
    expect(
      await errors(
        signed(() => key),
        profile(),
      ),
    ).toMatchObject([
      {
        code: 'chain/signature',
        line: 1,
        message: expect.stringContaining('key is not an Ed25519 public key in hex in any of 3 records'),
      },
    ]);
    const one = signed(({ seq }) => (seq === 2 ? 'x' : key));
    expect(await errors(one, profile('base64url'))).toMatchObject([
      { code: 'chain/signature', line: 2, message: 'key is not an Ed25519 public key in base64url' },
    ]);
  });

  it('reports a changed record whose hash was computed again at the record that names it', async () => {
    const lines = chain(6);
    const changed = { ...at(lines, 2), text: 'other' };
    const [one, ...others] = await errors(lines.with(2, { ...changed, sum: sumOf(changed) }));
    expect(one).toMatchObject({ code: 'chain/broken-link', line: 4 });
    expect(one?.message).toContain('line 3 was changed after line 4 was written');
    expect(others).toEqual([]);
  });

  it('counts removed records by the sequence', async () => {
    const [one, ...others] = await errors(chain(8).toSpliced(2, 3));
    expect(one).toMatchObject({ code: 'chain/broken-link', line: 3 });
    expect(one?.message).toContain('3 records between them, by the sequence numbers, were removed');
    expect(others).toEqual([]);
  });

  it('reports records that were moved once, and says where they are', async () => {
    const lines = chain(9);
    const [moved] = lines.splice(2, 1);
    const [one, ...others] = await errors([...lines, moved]);
    expect(one).toMatchObject({ code: 'chain/broken-link', line: 3 });
    expect(one?.message).toContain('it names line 9, which comes after line 3');
    expect(others).toEqual([]);
  });

  it('reports an added record that has its own hash', async () => {
    const lines = chain(5);
    const added = { seq: 3, prev: at(lines, 1).sum, text: 'new' };
    const [one, ...others] = await errors(lines.toSpliced(2, 0, { ...added, sum: sumOf(added) }));
    expect(one).toMatchObject({ code: 'chain/broken-link', line: 4 });
    expect(one?.message).toContain('names line 2, but line 3 is the record before it');
    expect(others).toEqual([]);
  });

  it('reports each of two faults that are apart', async () => {
    const lines = chain(12);
    const found = await errors(lines.with(2, { ...at(lines, 2), text: 'x' }).toSpliced(8, 1));
    expect(found).toMatchObject([
      { code: 'chain/hash', line: 3 },
      { code: 'chain/broken-link', line: 9 },
    ]);
  });

  it('does not report what a damaged line explains', async () => {
    const lines: unknown[] = chain(6);
    expect(await errors(lines.with(2, '{"seq":3,"prev'))).toEqual([]);
  });

  it('reports records of another version once', async () => {
    const lines = chain(5).map((line) => ({ ...line, sum: hash('sha256', line.sum, 'hex') }));
    const linked = lines.map((line, index) => ({ ...line, prev: lines[index - 1]?.sum ?? 'start' }));
    const [one, ...others] = await errors(linked);
    expect(one).toMatchObject({ code: 'chain/hash', line: 1 });
    expect(one?.message).toContain('wrong in all 5 records: another version of mine');
    expect(others).toEqual([]);
  });

  it('is an error if a key is repeated, whatever the hash covers', async () => {
    const lines = chain(3);
    const repeated = JSON.stringify(at(lines, 1)).replace('{', '{"text":"shown",');
    expect(await errors([lines[0], repeated, lines[2]])).toMatchObject([
      { code: 'chain/ambiguous', line: 2 },
    ]);
  });

  it('is recognised although its first record was changed so that it does not fit', async () => {
    const lines = chain(4);
    const found = await errors(lines.with(0, { ...at(lines, 0), sum: 'none' }));
    expect(found).toMatchObject([{ code: 'chain/hash', line: 1 }]);
  });

  it('has the records of several chains if they are grouped', async () => {
    const named = (group: string) => {
      const lines: Line[] = [];
      for (const line of chain(3)) {
        const record = { seq: line.seq, prev: lines.at(-1)?.sum ?? 'start', text: group };
        lines.push({ ...record, sum: sumOf(record) });
      }
      return lines;
    };
    const [a, b] = [named('a'), named('b')];
    const mixed = a.flatMap((line, index) => [line, at(b, index)]);
    const grouped = { mine: { ...MINE, group: 'text' } };
    expect(await errors(mixed, grouped)).toEqual([]);
    expect(await errors(mixed.toSpliced(3, 1), grouped)).toMatchObject([
      { code: 'chain/broken-link', line: 5 },
    ]);
  });

  it('checks two profiles that hold, and says so', async () => {
    const profiles = { mine: MINE, yours: { ...MINE, detect: ['seq', 'text'] } };
    const { findings } = await verifyChained(write(chain(4)), { profiles });
    expect(findings.map(({ code }) => code)).toContain('chain/two-profiles');
  });

  it('takes the profile that holds from its first records', async () => {
    const profiles = { yours: { ...MINE, over: 'sorted-python' as const }, mine: MINE };
    const { chains, findings } = await verifyChained(write(chain(4)), { profiles });
    expect(chains?.map(({ name }) => name)).toEqual(['mine']);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('compares the end with what the user expects, and reaches the level sealed', async () => {
    const lines = chain(4);
    const log = write(lines);
    const last = at(lines, 3).sum;
    const right = await verifyChained(log, { profiles: { mine: MINE }, expectHead: last, expectCount: 4 });
    expect([right.level, right.verdict]).toEqual(['sealed', 'ok']);
    for (const wrong of [{ expectHead: 'f'.repeat(64) }, { expectCount: 5 }]) {
      const { verdict, level } = await verifyChained(log, { profiles: { mine: MINE }, ...wrong });
      expect([verdict, level]).toEqual(['fail', 'readable']);
    }
  });

  it('keeps memory and time low if every record is wrong', { timeout: 300_000 }, async () => {
    const lines = chain(20_000).map((line, index) => ({
      ...line,
      prev: hash('sha256', String(index), 'hex'),
    }));
    // The clock also counts what other programs do.
    const began = process.cpuUsage();
    expect((await errors(lines)).length).toBeLessThan(3);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(10_000);
  });
});

describe('a hostile profile', () => {
  it.each([
    ['an unknown key', { ...MINE, hsah: 'sum' }],
    ['a pattern with a back reference', { ...MINE, detect: ['seq=^(a+)\\1$'] }],
    ['a pattern that is not closed', { ...MINE, detect: ['seq=^(a'] }],
    ['a pattern with a thousand repetitions of a thousand', { ...MINE, detect: ['seq=^(a{1000}){1000}$'] }],
    ['a thousand members', { ...MINE, detect: Array.from({ length: 1000 }, (_, index) => `m${index}`) }],
    ['an empty list', { ...MINE, detect: [] }],
    ['a head in another folder', { ...MINE, head: { file: '../head.json', hash: 'h' } }],
    ['a text of a megabyte', { ...MINE, genesis: 'x'.repeat(1e6) }],
    ['a form that does not exist', { ...MINE, over: 'xml' }],
    ['no bytes to hash', { ...MINE, over: undefined }],
    ['an algorithm that does not exist', { ...MINE, algorithm: 'md5' }],
  ])('with %s is refused', (_, profile) => {
    expect(profileSchema.safeParse(profile).success).toBe(false);
  });

  it('with the name none is refused, because --chain none has a meaning', () => {
    expect(profilesSchema.safeParse({ none: MINE }).success).toBe(false);
    expect(profilesSchema.safeParse({ mine: MINE }).success).toBe(true);
  });

  it('with the path __proto__ finds no member', async () => {
    const profiles = { mine: { ...MINE, link: '__proto__', group: '__proto__.constructor' } };
    expect((await errors(chain(2), profiles)).map(({ code }) => code)).toContain('chain/missing-member');
  });

  it('cannot take forever with a pattern', async () => {
    const profiles = { mine: { ...MINE, detect: ['text=^(a+)+$', 'sum'] } };
    const lines = chain(2).map((line) => ({ ...line, text: `${'a'.repeat(4000)}!` }));
    const began = performance.now();
    await errors(lines, profiles);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('proofs that are not checked', () => {
  const unread = async (log: string, profiles?: Profiles) =>
    (await verifyChained(log, profiles && { profiles })).findings.filter(
      ({ code }) => code === 'chain/unread-proof',
    );
  const sample = (...names: string[]) => join(CHAIN_SAMPLES, ...names);

  it('are named once, as the profile lists them', async () => {
    const profile: Profile = {
      ...MINE,
      unread: [
        { member: 'text', value: 'step 2', what: 'a Merkle proof' },
        { member: 'text', value: 'step 9', what: 'a time stamp' },
        { member: 'prev', what: 'another hash' },
      ],
    };
    const found = await unread(write(chain(5)), { mine: profile });
    expect(found).toMatchObject([{ severity: 'info', line: 5 }]);
    expect(found[0]?.message).toContain('does not check another hash, and a Merkle proof:');
  });

  it('are not named if the member is empty', async () => {
    const profile: Profile = {
      ...MINE,
      without: ['sum', 'proofs'],
      unread: [{ member: 'proofs', what: 'x' }],
    };
    for (const proofs of [null, [], {}, ''])
      expect(await unread(write(chain(3).map((one) => ({ ...one, proofs }))), { mine: profile })).toEqual([]);
    for (const proofs of [0, [null], { a: 1 }, 'y'])
      expect(
        await unread(write(chain(3).map((one) => ({ ...one, proofs }))), { mine: profile }),
      ).toHaveLength(1);
  });

  it('are named for the programs that write them', async () => {
    const [kriya] = await unread(sample('kriya', 'intact', 'pq-checkpoint.jsonl'));
    expect(kriya?.message).toContain('ML-DSA-87');
    const [provenrail] = await unread(sample('provenrail-record', 'intact', 'clean.json'));
    expect(provenrail?.message).toContain('anchors (Merkle roots');
    expect(await unread(sample('provenrail-record', 'intact', 'strip_anchor.json'))).toEqual([]);
    expect(await unread(sample('kriya', 'intact', 'pay.jsonl'))).toEqual([]);
  });
});
