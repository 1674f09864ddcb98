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

const Absent = ({ text }: { text: string }) => <span class="tone-muted">{text}</span>;

interface ChangesProps {
  readonly changes: readonly ValueChange[];
  /** The values are those of the runs A and B, of which neither is the newer one. */
  readonly areOfRuns?: boolean;
}

/** Changed values, one below the other. */
export function Changes({ changes, areOfRuns = false }: ChangesProps) {
  const rest = changes.length - MOST_CHANGES;
  return (
    <>
      <ul class="changes">
        {changes.slice(0, MOST_CHANGES).map(({ path, before, after }) => (
          <li key={path}>
            <code class="path">
              <LongText text={path === '' ? 'all of it' : path} />
            </code>
            <div class={`before ${areOfRuns ? 'side-a' : ''}`}>
              {before === undefined ? (
                <Absent text={areOfRuns ? 'not in A' : 'new'} />
              ) : (
                <Side text={before} />
              )}
            </div>
            <span class="tone-muted">{areOfRuns ? '≠' : '→'}</span>
            <div class={`after ${areOfRuns ? 'side-b' : ''}`}>
              {after === undefined ? (
                <Absent text={areOfRuns ? 'not in B' : 'gone'} />
              ) : (
                <Side text={after} />
              )}
            </div>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="tone-muted">and {rest} more</p>}
    </>
  );
}
