import { fieldsOf } from '../../schema/fields.ts';
import type { EventTypeEntry } from '../dialect.ts';
import { payloadSchemaOf, payloadSchemas } from './schema/payloads.ts';
import { CORE_KINDS } from './vocabulary.ts';

/** The kinds that the documents describe: the core, which the engine treats specially, and others it ships. */
export function knownKinds(): EventTypeEntry[] {
  const core: readonly string[] = CORE_KINDS;
  const others = Object.keys(payloadSchemas).filter((kind) => !core.includes(kind));
  const entry = (group: string) => (type: string) => {
    const schema = payloadSchemaOf(type);
    return { type, group, ...(schema !== undefined && { fields: fieldsOf(schema) }) };
  };
  return [...core.map(entry('core')), ...others.map(entry('shipped'))];
}
