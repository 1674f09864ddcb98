import { parseExactJson } from '../../json/parse.ts';
import type { ValueChange } from '../document.ts';
import { LongText } from './text.tsx';
import { Tree } from './tree.tsx';

/** So many changes are shown. */
const MOST_CHANGES = 200;

/** A value: in a word, or with its members below each other. */
function Side({ text, none }: { text: string | undefined; none: string }) {
  if (text === undefined) return <span class="tone-muted">{none}</span>;
  return (
    <div class="json">
      <Tree value={parseExactJson(text)} open={1} />
    </div>
  );
}

/** What became of values, one below the other. */
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
            {before === undefined ? (
              <span class="tone-good">new</span>
            ) : (
              <div class="before">
                <Side text={before} none="" />
              </div>
            )}
            <span class="tone-muted">→</span>
            <div class="after">
              <Side text={after} none="gone" />
            </div>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="tone-muted">and {rest} more</p>}
    </>
  );
}
