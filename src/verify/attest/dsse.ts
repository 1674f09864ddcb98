import { hash, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { isSignedBy, sign } from '../../base/keys/ed25519.ts';

/** A signed payload of some type (DSSE 1.0, docs/formats/attestation.md). */
export const envelopeSchema = z.looseObject({
  payloadType: z.string(),
  payload: z.base64(),
  signatures: z.array(z.looseObject({ keyid: z.string().optional(), sig: z.base64() })).min(1),
});

export type Envelope = z.infer<typeof envelopeSchema>;

/** The signed bytes. Type and payload come with their lengths, so neither can pass as part of the other. */
function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ]);
}

/** The id of a key: the sha256 of its public half in DER. It is only a hint for finding the key. */
export function keyIdOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ format: 'der', type: 'spki' }));
}

/** Puts a payload into an envelope signed with one key. */
export function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  privateKey: KeyObject,
  publicKey: KeyObject,
): Envelope {
  const sig = sign(signedBytes(payloadType, payload), privateKey).toString('base64');
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: keyIdOf(publicKey), sig }],
  };
}

/**
 * The payload of an envelope that one of the keys signed; undefined otherwise. Ignores the key ids in the
 * envelope, which are not signed.
 */
export function openEnvelope(envelope: Envelope, trusted: readonly KeyObject[]): Buffer | undefined {
  const payload = Buffer.from(envelope.payload, 'base64');
  const bytes = signedBytes(envelope.payloadType, payload);
  const isSigned = envelope.signatures.some(({ sig }) =>
    trusted.some((key) => isSignedBy(bytes, Buffer.from(sig, 'base64'), key)),
  );
  return isSigned ? payload : undefined;
}
