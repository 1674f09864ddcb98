import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { isArchive } from '../../base/archives/format.ts';
import { UsageError } from '../../base/errors.ts';
import { publicKeyOf } from '../../base/keys/ed25519.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import { DEFAULT_POLICY, type Policy } from '../../findings/policy.ts';
import type { Verdict, VerifyReport } from '../../findings/report.ts';
import { type Envelope, envelopeSchema, openEnvelope, signEnvelope } from './dsse.ts';
import { PAYLOAD_TYPE, type Statement, type Subject, statementOf, statementSchema } from './statement.ts';
import { hashSubjects, listSubjects, listUnhashed } from './subjects.ts';

/** Signs the statement that files were verified. `verifiedAt` is in milliseconds since 1970. */
export function attest(
  report: VerifyReport,
  policy: Policy,
  subjects: readonly Subject[],
  verifiedAt: number,
  key: KeyObject,
): Envelope {
  const statement = statementOf(report, policy, subjects, verifiedAt);
  return signEnvelope(PAYLOAD_TYPE, Buffer.from(JSON.stringify(statement)), key, publicKeyOf(key));
}

function parsed<S extends z.ZodType>(schema: S, text: string, what: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('usage', `this is not an attestation: ${what} is not JSON`);
  }
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  throw new UsageError(
    'usage',
    `this is not an attestation of a verification: ${what}: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}

/**
 * Reads the statement in an envelope that one of the trusted keys signed.
 *
 * @throws UsageError if it is not an attestation or has no trusted signature.
 */
export function openAttestation(text: string, trusted: readonly KeyObject[]): Statement {
  const envelope = parsed(envelopeSchema, text, 'the envelope');
  const payload = envelope.payloadType === PAYLOAD_TYPE ? openEnvelope(envelope, trusted) : undefined;
  if (payload === undefined) {
    throw new UsageError('usage', 'the attestation is not signed with a trusted key', {
      hint: 'give --trust the public key of the pair that signed it',
    });
  }
  return parsed(statementSchema, payload.toString(), 'the statement');
}

/**
 * A difference between the files on disk and the attested ones, or between the verification and the required
 * one.
 */
export interface AttestationProblem {
  readonly kind: 'changed' | 'missing' | 'added' | 'unattested' | 'unasked';
  /** A file; a target for `unattested`; a requirement for `unasked`. */
  readonly name: string;
}

/** Requirements that the attested verification must have had. */
type Asked = Pick<Policy, 'strict' | 'requireSeal' | 'requireSignature'>;

const ASKED = ['strict', 'requireSeal', 'requireSignature'] as const satisfies readonly (keyof Asked)[];

/** The result of comparing targets with an attestation. */
interface AttestationCheck {
  /** Every file is the attested one, and the verification met the requirements. */
  readonly fits: boolean;
  readonly problems: readonly AttestationProblem[];
  /** Episodes of the statement that are not among the targets. */
  readonly absent: readonly string[];
  /** The number of files compared. */
  readonly files: number;
  /** The attested verdict over the targets. */
  readonly verdict: Verdict;
}

const WORST: readonly Verdict[] = ['fail', 'warn', 'ok'];

/** Whether a subject belongs to an episode: the episode itself or one of its files. */
const isOf = (name: string, subject: string): boolean => subject === name || subject.startsWith(`${name}/`);

/**
 * What a statement says about targets. An episode has its own verdict; a packed file has the verdict over all its episodes.
 */
class Attested {
  readonly #overall: Verdict;
  readonly #subjects: readonly string[];
  readonly #episodes = new Map<string, Verdict[]>();
  /** Whether the attested episodes came out of a packed file, so that no subject has an episode's name. */
  readonly #hasUnpacked: boolean;

  constructor({ subject, predicate }: Statement) {
    this.#overall = predicate.verdict;
    this.#subjects = subject.map(({ name }) => name);
    for (const { name, verdict } of predicate.episodes)
      this.#episodes.set(name, [...(this.#episodes.get(name) ?? []), verdict]);
    this.#hasUnpacked = [...this.#episodes.keys()].some((name) => !this.#hasFiles(name));
  }

  knows({ name, dir }: VerifyTarget): boolean {
    return this.#episodes.has(name) || (dir === undefined && this.#subjects.includes(name));
  }

  /** Packed episodes of the same name cannot be distinguished, so the verdict over all counts. */
  verdictsOf({ name, dir, log = '' }: VerifyTarget): readonly Verdict[] {
    const mayBePacked = dir === undefined && (isArchive(log) || this.#hasUnpacked);
    return (mayBePacked ? undefined : this.#episodes.get(name)) ?? [this.#overall];
  }

  /** The attested episodes and packed files that are not among these targets. */
  absent(targets: readonly VerifyTarget[]): string[] {
    const here = new Set(targets.map(({ name }) => name));
    const episodes = [...this.#episodes.keys()].filter((name) => this.#hasFiles(name));
    const packed = this.#subjects.filter((subject) => !episodes.some((name) => isOf(name, subject)));
    return [...episodes, ...packed].filter((name) => !here.has(name));
  }

  #hasFiles(episode: string): boolean {
    return this.#subjects.some((subject) => isOf(episode, subject));
  }
}

/** Compares the files of targets with a statement. Does not verify the targets again. */
export async function checkAttestation(
  statement: Statement,
  targets: readonly VerifyTarget[],
  asked: Asked = DEFAULT_POLICY,
): Promise<AttestationCheck> {
  const attested = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  const said = new Attested(statement);
  const unattested = targets.filter((target) => !said.knows(target));
  const known = targets.filter((target) => said.knows(target));
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
  const verdicts = known.flatMap((target) => said.verdictsOf(target));
  const worst = WORST.find((verdict) => verdicts.includes(verdict)) ?? 'fail';
  // With more warnings than the attested policy allowed, the whole verification fails although no episode does.
  const absent = said.absent(known);
  const verdict = statement.predicate.verdict === 'fail' && absent.length === 0 ? 'fail' : worst;
  return { fits: problems.length === 0, problems, absent, files: present.length, verdict };
}
