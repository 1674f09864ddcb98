import type * as z from 'zod';

/** Members that may be absent or null. */
export function nullish<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.nullish()])) as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>;
  };
}
