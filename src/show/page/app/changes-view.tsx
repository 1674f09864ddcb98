import { useMemo } from 'preact/hooks';
import type { ChangesOfRun } from '../../../read/describe/changes-of-story.ts';
import {
  changeTitle,
  copiedChangesText,
  countsOfFile,
  EFFECTS,
  endText,
  staleTest,
  sumOfEdits,
} from '../../render/changes.ts';
import { plural } from '../../render/tally.ts';
import { CopyButton } from './copy-button.tsx';
import { Counts, Lines, Place, SIGN_CLASS } from './story-parts.tsx';
import { LongText, Text } from './text.tsx';

/** The number of files with open diffs, and of diff lines shown, at first. */
const OPEN_FILES = 20;
const MOST_LINES = 200;

/** The file changes of a run, from its calls and those of its subagents. `folded`: subagents whose calls are not on the page. */
export function ChangesView({ changes, folded }: { changes: ChangesOfRun; folded: number }) {
  const { files, may_have_changed: maybe, copied } = changes;
  const [copiedText, command] = copied === undefined ? [] : copiedChangesText(copied);
  const counts = files.map(countsOfFile);
  const sums = files.filter((file) => sumOfEdits(file) !== undefined);
  const fact = useMemo(() => staleTest(changes), [changes]);
  return (
    <div class="sheet changed-files">
      {fact !== undefined && (
        <p class="card edge-doubtful">
          <LongText text={fact} hrefOf={(line) => `#story/${line}`} />
        </p>
      )}
      {folded > 0 && (
        <p class="tone-muted">
          Without the changes of {plural(folded, 'subagent')} with long logs:{' '}
          <code>noesis show --changes</code> has them.
        </p>
      )}
      {files.length > 0 && (
        <p class="tone-muted">
          {plural(files.length, 'file')} changed{sums.length > 0 && ', at most'}{' '}
          <Counts
            added={counts.reduce((sum, { added }) => sum + added, 0)}
            removed={counts.reduce((sum, { removed }) => sum + removed, 0)}
          />
        </p>
      )}
      {copiedText !== undefined && (
        <p class="tone-muted">
          <Text text={copiedText} />{' '}
          {command !== undefined && (
            <code>
              <Text text={command} />
            </code>
          )}
        </p>
      )}
      {files.map((file, index) => (
        <details key={file.path} class="card" open={index < OPEN_FILES}>
          <summary class="diff-head">
            <code>
              <Text text={file.path} />
            </code>
            <span>
              <Counts {...countsOfFile(file)} /> <span class="tone-muted">{sumOfEdits(file)}</span>
            </span>
          </summary>
          {file.changes.map(({ line, part, diff, ...change }, at) => (
            <div key={at}>
              <p class="tone-muted">
                <Text text={changeTitle({ ...change, diff })} />, <Place line={line} part={part} />
              </p>
              {diff !== '' && (
                <div class="copied">
                  <CopyButton text={diff} what="diff" />
                  <Lines text={diff} most={MOST_LINES} classOf={SIGN_CLASS} />
                </div>
              )}
            </div>
          ))}
        </details>
      ))}
      {EFFECTS.map(({ what, title }) => {
        const all = maybe.filter((one) => one.what === what);
        if (all.length === 0) return null;
        return (
          <section key={what} class="card">
            <h3>{title}</h3>
            <ul>
              {all.map((one, at) => (
                <li key={at} class="maybe">
                  <Place line={one.line} part={one.part} />
                  <span>
                    <code>
                      <Text text={one.command.trim().split('\n')[0] ?? ''} />
                    </code>
                    {endText(one)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
