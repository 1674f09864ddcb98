import * as z from 'zod';

/** The seal of an episode (docs/formats/noesis.md §7). */
export const manifestSchema = z.looseObject({
  schema_version: z.enum(['manifest/1.0', 'manifest/1.0.0']),
  episode_id: z.string(),
  created_at: z.string().optional(),
  files: z.array(
    z.looseObject({
      name: z.string(),
      sha256: z.string().regex(/^sha256:[0-9a-f]{64}$/, '`sha256:` and 64 lower-case hex digits'),
      size_bytes: z.number().int().min(0),
      kind: z.string().optional(),
    }),
  ),
  signer: z.string().nullable(),
  signature: z
    .looseObject({ alg: z.string(), kid: z.string(), value: z.string(), ts: z.string().optional() })
    .nullish(),
});

export type NoesisManifest = z.infer<typeof manifestSchema>;
