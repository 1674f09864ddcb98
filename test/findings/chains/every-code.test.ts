import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { SHARED } from '../../../src/findings/catalogue/index.ts';
import type { Profile } from '../../../src/findings/chains/profile.ts';
import { CHAIN_CASES, type ChainVerification, verifyChained } from './chain-samples.ts';
import { at, chain, MINE, sumOf, write } from './declared-chain.ts';

const SECRET = Buffer.from('a secret of a test');

/** Chained records, and a signature of each hash. */
const MAC: Profile = {
  ...MINE,
  without: ['sum', 'sig'],
  signature: { member: 'sig', algorithm: 'HMAC-SHA256', over: [{ member: 'sum' }] },
};
const signed = () =>
  chain(4).map((line) => ({ ...line, sig: createHmac('sha256', SECRET).update(line.sum).digest('hex') }));

/** Chained records, each signed with a key of its own that it names. */
const OWN_KEYS: Profile = {
  ...MINE,
  without: ['sum', 'sig', 'key'],
  signature: { member: 'sig', algorithm: 'Ed25519', over: [{ member: 'sum' }], key: 'key', encoding: 'hex' },
};
const signedWithOwnKeys = () =>
  chain(2).map((line) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('hex');
    return { ...line, key, sig: sign(null, Buffer.from(line.sum), privateKey).toString('hex') };
  });

const plain = chain(4);
const mine = { profiles: { mine: MINE } };
const mac = { profiles: { mine: MAC } };

/** A record that holds, with the wrong number. */
const misnumbered = { seq: 9, prev: at(plain, 3).sum, text: 'step 5' };
const numbers = [{ seq: 1, prev: 'start', text: 1e-7 }];

/** Findings, each with the records that have it and how they are verified. */
const CASES: Readonly<Record<string, readonly [lines: readonly unknown[], options: ChainVerification]>> = {
  'chain/ambiguous': [[JSON.stringify(plain[0]).replace('{', '{"text":"shown",'), plain[1]], mine],
  'chain/missing-member': [plain, { profiles: { mine: { ...MINE, link: 'before' } } }],
  'chain/two-profiles': [plain, { profiles: { mine: MINE, yours: { ...MINE, detect: ['seq', 'text'] } } }],
  'chain/unknown-profile': [[{ id: 1 }, { id: 2 }], { ...mine, name: 'mine' }],
  'chain/uncovered': [
    plain.map((line) => ({ ...line, note: 'free' })),
    { profiles: { mine: { ...MINE, without: ['sum', 'note'] } } },
  ],
  'chain/unread-proof': [
    plain,
    { profiles: { mine: { ...MINE, unread: [{ member: 'text', what: 'a proof' }] } } },
  ],
  'chain/unsigned': [
    signed().map((line, index) => (index === 2 ? at(plain, 2) : line)),
    { ...mac, key: SECRET },
  ],
  'chain/unverified-signature': [signed(), mac],
  'chain/after-end': [plain, { profiles: { mine: { ...MINE, end: { where: { text: 'step 2' } } } } }],
  'chain/ambiguous-number': [numbers.map((one) => ({ ...one, sum: sumOf(one) })), mine],
  'chain/count': [plain, { ...mine, expectCount: 5 }],
  'chain/key-unpinned': [signedWithOwnKeys(), { profiles: { mine: OWN_KEYS } }],
  'chain/no-guard': [plain, mine],
  'chain/open': [plain, { profiles: { mine: { ...MINE, end: { where: { text: 'end' } } } } }],
  'chain/sequence': [[...plain, { ...misnumbered, sum: sumOf(misnumbered) }], mine],
  'chain/key-changed': [signedWithOwnKeys(), { profiles: { mine: OWN_KEYS } }],
};

const codesOf = async (log: string, options: ChainVerification) =>
  (await verifyChained(log, options)).findings.map(({ code }) => code);

it.each(Object.entries(CASES))('%s is reported', async (code, [lines, options]) => {
  expect(await codesOf(write(lines), options)).toContain(code);
});

it('the signed records hold if the key is known', async () => {
  expect(await codesOf(write(signed()), { ...mac, key: SECRET })).toEqual(['chain/no-guard']);
});

it('each finding about chains is in a case above, or the first error of a sample', () => {
  const ofSamples = CHAIN_CASES.flatMap(({ first }) => first?.code ?? []);
  const shown = new Set([...Object.keys(CASES), ...ofSamples]);
  const all = SHARED.map(({ code }) => code).filter((code) => code.startsWith('chain/'));
  expect(all.filter((code) => !shown.has(code))).toEqual([]);
});
