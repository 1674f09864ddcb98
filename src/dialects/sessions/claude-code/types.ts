import { fieldsOf } from '../../../log/schema/fields.ts';
import type { EventTypeEntry } from '../../kit/record-view.ts';
import { schemaOf } from './schema.ts';
import { CHAIN_TYPES, SIDE_TYPES } from './vocabulary.ts';

/** The known types of records, with and without a parent. */
export function knownTypes(): EventTypeEntry[] {
  const chain = CHAIN_TYPES.map((type) => ({ type, group: 'chain', fields: fieldsOf(schemaOf(type, true)) }));
  return [...chain, ...SIDE_TYPES.map((type) => ({ type, group: 'other' }))];
}
