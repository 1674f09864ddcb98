import { parseExactJson } from '../../../base/json/parse.ts';
import type { ValueChange } from '../page-data.ts';
import { LongText } from './text.tsx';
import { Tree } from './tree.tsx';

/** The number of changes shown. */
const MOST_CHANGES = 200;

/** A value: on one line, or with one member per line. */
function Side({ text }: { text: string }) {
  return (
    <div class="json">
      <Tree value={parseExactJson(text)} open={1} />
    </div>
  );
}

/** Changed values, one below the other. */
export function Changes({ changes }: { changes: readonly ValueChange[] }) {
  const rest = changes.length - MOST_CHANGES;
  return (
    <>
      <ul class="changes">
        {changes.slice(0, MOST_CHANGES).map(({ path, before, after }) => (
          <li key={path}>
            <code class="path">
              <LongText text={path === '' ? 'all of it' : path} />
            </code>
            <div class="before">
              {before === undefined ? <span class="tone-good">new</span> : <Side text={before} />}
            </div>
            <span class="tone-muted">→</span>
            <div class="after">
              {after === undefined ? <span class="tone-muted">gone</span> : <Side text={after} />}
            </div>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="tone-muted">and {rest} more</p>}
    </>
  );
}
