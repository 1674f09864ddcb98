import { basename } from 'node:path';
import { idPrefixOf } from '../../dialects/registry.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';

/** Warns that `verify` reports a copy of an episode whose folder has the name of another one. */
export async function sayCopyName(context: Context, from: string | undefined, to: string): Promise<void> {
  const id = from === undefined ? '' : basename(from);
  if (idPrefixOf(id) === '' || idPrefixOf(basename(to)) === '' || basename(to) === id) return;
  await context.say(`to verify this copy, rename its folder to ${escapeText(id)}`);
}
