import { basename } from 'node:path';
import { idPrefixOf } from '../../dialects/registry.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';

/** Warns that `verify` reports a copy of an episode whose folder is not named by its id. */
export async function sayCopyName(context: Context, from: string | undefined, to: string): Promise<void> {
  const id = from === undefined ? '' : basename(from);
  if (idPrefixOf(id) === '' || basename(to) === id) return;
  await context.say(`verify expects the folder of an episode to be named by its id: ${escapeText(id)}`);
}
