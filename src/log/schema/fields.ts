import * as z from 'zod';

/**
 * The field names of an object schema, in order; `?` marks optional ones. In a union, a field that one member
 * lacks is optional. Empty for other schemas.
 */
export function fieldsOf(schema: z.ZodType): string[] {
  const forms = schema instanceof z.ZodUnion ? schema.options : [schema];
  const shapes = forms.map((form) => (form instanceof z.ZodObject ? (form.shape as z.ZodRawShape) : {}));
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  const mayLack = (name: string) =>
    shapes.some((shape) => shape[name] === undefined || z.safeParse(shape[name], undefined).success);
  return [...names].map((name) => (mayLack(name) ? `${name}?` : name));
}
