import { TargetError } from '../base/errors.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { firstRecords } from '../dialects/kit/sample.ts';
import { foreignDialect, isGeneric } from '../dialects/registry.ts';

/** The error for a log that is not of the dialect that the user named, but of another one; undefined if it may be. */
export function foreignLog(
  named: Dialect,
  path: string,
  shown = path,
  origin = path,
): TargetError | undefined {
  if (isGeneric(named)) return undefined;
  const other = foreignDialect(firstRecords(path, () => false) ?? [], named);
  if (other === undefined) return undefined;
  const message = `no record of ${shown} is one of ${named.name}; it looks like a log of ${other.name}`;
  return new TargetError('log-missing', message, {
    place: { file: origin },
    hint: `remove --dialect, or use --dialect ${other.name}`,
  });
}
