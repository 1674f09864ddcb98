import * as z from 'zod';

/**
 * The names of what an object of a schema holds, in its order: `?` marks what may be missing. Of several forms, what
 * one of them lacks may be missing. Empty for a schema of anything else.
 */
export function fieldsOf(schema: z.ZodType): string[] {
  const forms = schema instanceof z.ZodUnion ? schema.options : [schema];
  const shapes = forms.map((form) => (form instanceof z.ZodObject ? (form.shape as z.ZodRawShape) : {}));
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  const mayLack = (name: string) =>
    shapes.some((shape) => shape[name] === undefined || z.safeParse(shape[name], undefined).success);
  return [...names].map((name) => (mayLack(name) ? `${name}?` : name));
}
