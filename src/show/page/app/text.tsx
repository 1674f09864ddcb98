import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { parseInstant } from '../../../base/time/instant.ts';
import type { Tone, ViewText } from '../../../dialects/kit/state-view.ts';
import type { Severity } from '../../../findings/finding.ts';
import { escapeText } from '../../render/escape.ts';
import { formatMoment } from '../../render/time.ts';
import type { EventTable, RowStatus } from '../page-data.ts';

/** How much of a long text is shown at first, and added on demand. */
const FIRST_UNITS = 2000;
const MORE_UNITS = 50_000;

/** The beginning of a text, cut between words if it has any. */
const beginning = (text: string, most: number): string =>
  text.slice(0, most).replace(/(?<=\S)\s+\S{0,20}$/, '');

/** Trace text on one line. Characters that would move, hide or reverse it become escapes. */
export const Text = ({ text, most = 300 }: { text: string; most?: number }) => (
  <bdi>
    {escapeText(text.length > most ? beginning(text, most) : text)}
    {text.length > most ? '…' : ''}
  </bdi>
);

const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n');

/** The address of a line of the log. */
export type HrefOf = (line: number) => string;

export const hrefOfEvent: HrefOf = (line) => `#events/${line}`;

/** Splits a message of noesis at quotations from a log and at line numbers. */
const NAMED_LINE = /(`[^`]*(?:`|$)|"(?:[^"\\]|\\.)*(?:"|$)|\blines? \d{1,15}\b)/;

const withLinks = (text: string, hrefOf: HrefOf) =>
  text.split(NAMED_LINE).map((part, at) => {
    const line = /^lines? (\d+)$/.exec(part)?.[1];
    if (line === undefined) return escapeLines(part);
    return (
      <a key={at} class="line" href={hrefOf(Number(line))}>
        {part}
      </a>
    );
  });

interface LongTextProps {
  readonly text: string;
  readonly quoted?: boolean;
  /** For a message of noesis: the links of line numbers in it. */
  readonly hrefOf?: HrefOf | undefined;
}

/** Trace text of any length; the rest is shown on demand. */
export function LongText({ text, quoted = false, hrefOf }: LongTextProps) {
  const [shown, show] = useState(FIRST_UNITS);
  const rest = text.length - shown;
  const first = text.slice(0, shown);
  return (
    <bdi class="long">
      {quoted && '"'}
      {hrefOf === undefined ? escapeLines(first) : withLinks(first, hrefOf)}
      {rest > 0 && (
        <button type="button" class="more" onClick={() => show(shown + MORE_UNITS)}>
          … {rest.toLocaleString('en')} characters more
        </button>
      )}
      {quoted && rest <= 0 && '"'}
    </bdi>
  );
}

/** A text in which search matches are marked. */
export function Marked({ text, sought }: { text: string; sought: string }) {
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought.toLowerCase());
  if (at < 0) return <Text text={text} />;
  return (
    <bdi>
      {escapeText(text.slice(0, at))}
      <mark>{escapeText(text.slice(at, at + sought.length))}</mark>
      {escapeText(text.slice(at + sought.length))}
    </bdi>
  );
}

/** An instant in the reader's time zone. */
export const momentOf = (instant: number): string => formatMoment(instant, 'local');

/** A text of a view with its tone; times are in the reader's time zone. */
export function TonedText({ text, tone, is_time: isTime, line }: ViewText) {
  const instant = isTime ? parseInstant(text) : undefined;
  if (line !== undefined)
    return (
      <a href={`#story/${line}`}>
        <LongText text={text} />
      </a>
    );
  return (
    <span class={tone && `tone-${tone}`}>
      {instant === undefined ? (
        <LongText text={text} />
      ) : (
        <time title={escapeText(text)}>{momentOf(instant)}</time>
      )}
    </span>
  );
}

export const Badge = ({ tone, children }: { tone: Tone | undefined; children: ComponentChildren }) => (
  <span class={`badge ${tone === undefined ? '' : `tone-${tone}`}`}>{children}</span>
);

const VERDICT_TONES: Readonly<Record<string, Tone>> = { ok: 'good', warn: 'doubtful', fail: 'bad' };
export const toneOfVerdict = (verdict: string): Tone => VERDICT_TONES[verdict] ?? 'muted';

const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = { error: 'bad', warn: 'doubtful', info: 'muted' };
export const toneOfSeverity = (severity: Severity): Tone => SEVERITY_TONES[severity];

const STATUS_TONES: Readonly<Record<RowStatus, Tone | undefined>> = {
  ok: undefined,
  error: 'bad',
  veto: 'doubtful',
  open: 'muted',
  corrupt: 'bad',
  unknown: 'muted',
};
export const toneOfStatus = (status: RowStatus): Tone | undefined => STATUS_TONES[status];

const STATUS_MARKS: Readonly<Record<RowStatus, string>> = {
  ok: '',
  error: '✗',
  veto: '⊘',
  open: '…',
  corrupt: '✗',
  unknown: '?',
};

/** The mark of an event that is not ok, as in the terminal. Screen readers get the word. */
export const StatusMark = ({ status }: { status: RowStatus }) =>
  status === 'ok' ? null : (
    <span class={`mark tone-${toneOfStatus(status)}`} role="img" aria-label={status}>
      {STATUS_MARKS[status]}
    </span>
  );

/** The tool of an event, before its text. */
export function ToolName({ table: { tool }, row }: { table: EventTable; row: number }) {
  const name = tool.words[tool.at[row] ?? -1] ?? '';
  if (name === '') return null;
  return (
    <>
      <strong class="tool">
        <Text text={name} most={60} />
      </strong>{' '}
    </>
  );
}
