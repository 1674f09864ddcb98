import { type ComponentChild, render } from 'preact';
import type { PageDocument } from '../page-data.ts';
import { unpack } from './unpack.ts';

/** Unpacks the data of a page, and shows it. `lines`: the stored lines of each run. */
export async function start<Kind extends PageDocument['kind']>(
  view: (
    document: Extract<PageDocument, { kind: Kind }>,
    ...lines: readonly (string | undefined)[]
  ) => ComponentChild,
): Promise<void> {
  const app = document.getElementById('app');
  if (app === null) return;
  app.textContent = 'Reading …';
  try {
    const [text = '{}', ...lines] = await Promise.all(['document', 'lines-0', 'lines-1'].map(unpack));
    const shown = view(JSON.parse(text), ...lines);
    app.textContent = '';
    render(shown, app);
  } catch (error) {
    app.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : error}`;
  }
}
