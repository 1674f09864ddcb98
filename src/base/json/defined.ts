/** An object type whose members are absent instead of undefined. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the members that are undefined. For names that code chooses: a member `__proto__` would be lost. */
export function defined<const T extends object>(members: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  const given = members as Record<string, unknown>;
  for (const name in given) if (given[name] !== undefined) kept[name] = given[name];
  return kept as Defined<T>;
}
