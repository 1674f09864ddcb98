import { useState } from 'preact/hooks';
import { placeInExcerpt } from '../../../findings/excerpt.ts';
import type { Finding } from '../../../findings/finding.ts';
import { escapeText } from '../../render/escape.ts';
import type { CodeMeaning, Meanings } from '../page-data.ts';
import { Fields } from './fields.tsx';
import { Badge, type HrefOf, LongText, Text, toneOfSeverity } from './text.tsx';

/** The line around the place of a finding, with the place marked. */
function Frame({ finding: { excerpt = '', column, byteStart = 0, byteEnd = 0 } }: { finding: Finding }) {
  // A single bracket explains nothing.
  if (excerpt.trim().length < 2) return null;
  const { at, cutBefore, cutAfter } = placeInExcerpt(excerpt, column);
  // The length is in bytes and the text in characters. In ASCII text these are equal.
  const length = column === undefined ? 0 : Math.max(1, byteEnd - byteStart);
  const part = (from: number, to?: number) => escapeText(excerpt.slice(from, to));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre class="frame" tabIndex={0}>
      <bdi>
        {cutBefore && '…'}
        {part(0, at)}
        {length > 0 && <mark>{part(at, at + length)}</mark>}
        {part(at + length)}
        {cutAfter && '…'}
      </bdi>
    </pre>
  );
}

/** The links of a finding. */
export interface FindingLinks {
  /** The event of the finding. */
  readonly href?: string | undefined;
  /** The lines in its message; undefined if they are lines of another file. */
  readonly hrefOf?: HrefOf | undefined;
}

/** The links of a finding about the log, or about another file of the episode. */
export function linksTo(log: string, { file, line }: Finding, hrefOf: HrefOf): FindingLinks {
  if (file === log) return { ...(line !== undefined && { href: hrefOf(line) }), hrefOf };
  return file.endsWith('.jsonl') ? {} : { hrefOf };
}

/** What a code means, as a title. */
export const titleOf = ({ meaning }: CodeMeaning): string => meaning.replace(/\.$/, '');

interface FindingProps {
  readonly finding: Finding;
  readonly meanings: Meanings;
  readonly links?: FindingLinks | undefined;
}

export function FindingCard({ finding, meanings, links: { href, hrefOf } = {} }: FindingProps) {
  const [isOpen, setOpen] = useState(false);
  const { code, severity, message, hint, file, line, column, path, expected, actual } = finding;
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  const place = `${file}${line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}`;
  return (
    <article class={`card finding edge-${toneOfSeverity(severity)}`}>
      {meaning !== undefined && <h4>{titleOf(meaning)}</h4>}
      <header>
        <Badge tone={toneOfSeverity(severity)}>{severity}</Badge>
        <code>{code}</code>
        {href !== undefined ? (
          <a href={href}>
            <Text text={place} />
          </a>
        ) : (
          <span class="tone-muted">
            <Text text={place} />
          </span>
        )}
      </header>
      <p>
        <LongText text={message} hrefOf={hrefOf} />
      </p>
      <Frame finding={finding} />
      <Fields
        of={[
          [
            'At',
            path && (
              <code>
                <LongText text={path} />
              </code>
            ),
          ],
          ['Expected', expected && <LongText text={expected} />],
          ['Found', actual && <LongText text={actual} />],
        ]}
      />
      {hint !== undefined && (
        <p class="hint">
          <LongText text={hint} />
        </p>
      )}
      {meaning !== undefined && (
        <>
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            What this means
          </button>
          {isOpen && (
            <Fields
              of={[
                ['Why it matters', meaning.why],
                ['What to do', meaning.fix],
              ]}
            />
          )}
        </>
      )}
    </article>
  );
}

/** The number of findings shown at first, and added on demand. */
const FIRST_FINDINGS = 100;

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly meanings: Meanings;
  readonly linksOf: (finding: Finding) => FindingLinks | undefined;
}

export function FindingList({ findings, meanings, linksOf }: FindingsProps) {
  const [most, setMost] = useState(FIRST_FINDINGS);
  return (
    <>
      {findings.slice(0, most).map((finding, index) => (
        <FindingCard key={index} finding={finding} meanings={meanings} links={linksOf(finding)} />
      ))}
      {findings.length > most && (
        <button type="button" class="more" onClick={() => setMost(most + FIRST_FINDINGS)}>
          {findings.length - most} more
        </button>
      )}
    </>
  );
}
