import { useState } from 'preact/hooks';
import { placeInExcerpt } from '../../findings/excerpt.ts';
import type { Finding } from '../../findings/finding.ts';
import { escapeText } from '../../render/escape.ts';
import type { Meanings } from '../document.ts';
import { Fields } from './fields.tsx';
import { Badge, type HrefOf, LongText, Text, toneOfSeverity } from './text.tsx';

/** The text of the line around the place, with the place marked. */
function Frame({ finding: { excerpt = '', column, byteStart = 0, byteEnd = 0 } }: { finding: Finding }) {
  // A bracket alone says nothing.
  if (excerpt.trim().length < 2) return null;
  const { at, cutBefore, cutAfter } = placeInExcerpt(excerpt, column);
  // Bytes are counted, and characters shown: of plain text they are as many.
  const length = column === undefined ? 0 : Math.max(1, byteEnd - byteStart);
  const part = (from: number, to?: number) => escapeText(excerpt.slice(from, to));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
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

/** Where a finding leads to. */
export interface FindingLinks {
  /** The event that it is about. */
  readonly href?: string | undefined;
  /** The lines that its message names; undefined if they are those of another file. */
  readonly hrefOf?: HrefOf | undefined;
}

/** The links of a finding about a log, or about another file next to it. */
export function linksTo(log: string, { file, line }: Finding, hrefOf: HrefOf): FindingLinks {
  if (file === log) return { ...(line !== undefined && { href: hrefOf(line) }), hrefOf };
  return file.endsWith('.jsonl') ? {} : { hrefOf };
}

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
                ['Meaning', meaning.meaning],
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

/** The number of findings shown at first, and added each time. */
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
