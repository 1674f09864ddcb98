import * as z from 'zod';

const amount = z
  .union([z.number(), z.string()], {
    error: ({ input }) => (input === undefined ? 'is missing' : 'must be a number'),
  })
  .transform(String)
  .refine((text) => /^\d{1,9}(?:\.\d{1,12})?$/.test(text), 'must be a decimal number, not below 0');

const modelSchema = z.strictObject(
  {
    input: amount,
    cached: amount.optional(),
    cache_write: amount.optional(),
    cache_write_1h: amount.optional(),
    output: amount,
    reasoning: amount.optional(),
  },
  'must be a table',
);

/** What a million tokens of each kind cost, as decimal numbers. */
export type ModelPrices = z.infer<typeof modelSchema>;

/** The table `[prices]`: for each model what a million tokens of each kind cost. */
export const pricesSchema = z.strictObject(
  {
    currency: z
      .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') })
      .min(1),
    models: z.record(z.string(), modelSchema, 'must be tables [prices.models."NAME"]'),
  },
  'must be a table',
);

/** The contents of `[prices]`. */
export type OwnPrices = z.infer<typeof pricesSchema>;
