import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { UsageError } from '../errors.ts';
import type { VerifyTarget } from '../findings/options.ts';
import { DEFAULT_POLICY, type Policy } from '../findings/policy.ts';
import type { Verdict, VerifyReport } from '../findings/report.ts';
import { publicKeyOf } from '../keys/ed25519.ts';
import { type Envelope, envelopeSchema, open, seal } from './dsse.ts';
import { PAYLOAD_TYPE, type Statement, type Subject, statementOf, statementSchema } from './statement.ts';
import { hashSubjects, listSubjects, listUnhashed } from './subjects.ts';

/** The signed statement that files were verified. `verifiedAt` in milliseconds since 1970. */
export function attest(
  report: VerifyReport,
  policy: Policy,
  subjects: readonly Subject[],
  verifiedAt: number,
  key: KeyObject,
): Envelope {
  const statement = statementOf(report, policy, subjects, verifiedAt);
  return seal(PAYLOAD_TYPE, Buffer.from(JSON.stringify(statement)), key, publicKeyOf(key));
}

function parsed<S extends z.ZodType>(schema: S, text: string, what: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('usage', `this is no attestation: ${what} is no JSON`);
  }
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  throw new UsageError(
    'usage',
    `this is no attestation of a verification: ${what}: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}

/**
 * The statement in an envelope that one of the keys signed.
 *
 * @throws UsageError where it is no attestation, or where nobody who is trusted signed it.
 */
export function openAttestation(text: string, trusted: readonly KeyObject[]): Statement {
  const envelope = parsed(envelopeSchema, text, 'the envelope');
  const payload = envelope.payloadType === PAYLOAD_TYPE ? open(envelope, trusted) : undefined;
  if (payload === undefined) {
    throw new UsageError('usage', 'the attestation is not signed by a key that is trusted', {
      hint: '--trust names the public key of the pair that signed it',
    });
  }
  return parsed(statementSchema, payload.toString(), 'the statement');
}

/** In what the files on disk are not those that were attested, or the verification not the one that is asked for. */
export interface AttestationProblem {
  readonly kind: 'changed' | 'missing' | 'added' | 'unattested' | 'unasked';
  /** The file, for `unattested` the target, for `unasked` what the verification did not ask. */
  readonly name: string;
}

/** What a verification must have asked for, so that its verdict counts. */
export type Asked = Pick<Policy, 'strict' | 'requireSeal' | 'requireSignature'>;

const ASKED = ['strict', 'requireSeal', 'requireSignature'] as const satisfies readonly (keyof Asked)[];

/** What an attestation says of targets, and whether they are what it speaks of. */
export interface AttestationCheck {
  /** Whether every file is what was verified then, in the way that is asked for. */
  readonly fits: boolean;
  readonly problems: readonly AttestationProblem[];
  /** Episodes of the statement that are not among the targets. */
  readonly absent: readonly string[];
  /** Files that were compared. */
  readonly files: number;
  /** The verdict of then, over the targets. */
  readonly verdict: Verdict;
}

const WORST: readonly Verdict[] = ['fail', 'warn', 'ok'];

/** Whether a subject is of an episode: one of its files, or it. */
const isOf = (name: string, subject: string): boolean => subject === name || subject.startsWith(`${name}/`);

/** Holds the files of targets against a statement. The targets are not verified again. */
export async function checkAttestation(
  statement: Statement,
  targets: readonly VerifyTarget[],
  asked: Asked = DEFAULT_POLICY,
): Promise<AttestationCheck> {
  const attested = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  const episodes = new Map(statement.predicate.episodes.map((episode) => [episode.name, episode]));
  const unattested = targets.filter(({ name }) => !episodes.has(name));
  const known = targets.filter(({ name }) => episodes.has(name));
  const present = await hashSubjects(listSubjects(known));
  const names = new Set(present.map(({ name }) => name));
  const { policy } = statement.predicate;
  const problems: AttestationProblem[] = [
    ...ASKED.filter((what) => asked[what] && !policy[what]).map(
      (name) => ({ kind: 'unasked', name }) as const,
    ),
    ...unattested.map(({ name }) => ({ kind: 'unattested', name }) as const),
    ...listUnhashed(known).map((name) => ({ kind: 'added', name }) as const),
  ];
  for (const { name, sha256 } of present) {
    const then = attested.get(name);
    if (then !== sha256) problems.push({ kind: then === undefined ? 'added' : 'changed', name });
  }
  for (const name of attested.keys())
    if (!names.has(name) && known.some((target) => isOf(target.name, name)))
      problems.push({ kind: 'missing', name });
  const verdicts = known.map(({ name }) => episodes.get(name)?.verdict);
  const worst = WORST.find((verdict) => verdicts.includes(verdict)) ?? 'fail';
  // More warnings than the policy of then allowed fail all episodes together, and none of them alone.
  const verdict = statement.predicate.verdict === 'fail' && known.length === episodes.size ? 'fail' : worst;
  const here = new Set(known.map(({ name }) => name));
  const absent = [...episodes.keys()].filter((name) => !here.has(name));
  return { fits: problems.length === 0, problems, absent, files: present.length, verdict };
}
