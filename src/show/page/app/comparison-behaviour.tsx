import type {
  ComparedStep,
  FileDifference,
  LogBehaviour,
  StepDifference,
} from '../../../read/compare/behaviour.ts';
import type { PartDifference } from '../../../read/compare/run-difference.ts';
import {
  counted,
  damagedText,
  factRows,
  failedText,
  fieldsOnce,
  filesText,
  modelText,
  notWholeText,
  partingText,
  partsLabel,
  partsText,
  partTitle,
  resultsText,
  sourceOfCosts,
  stepsText,
} from '../../render/behaviour-words.ts';
import { plural } from '../../render/tally.ts';
import type { Go } from './address.ts';
import type { Comparison } from './comparison.ts';
import { type Field, Fields } from './fields.tsx';
import { LongText, Text } from './text.tsx';

/** The number of differences shown in each part. */
const MOST = 50;
/** The number of lines of a file that are shown. */
const MOST_LINES = 200;
const SHOWN = { files: Infinity, lines: MOST_LINES };

type Side = 'a' | 'b';
const LETTERS = { a: 'A', b: 'B' } as const;

/** The events that steps are links to; undefined for steps in the logs of subagents, which are not on the page. */
interface Events {
  readonly comparison: Comparison;
  readonly go: Go;
}

type Row = readonly [label: string, a: string, b: string];

/** The numbers of both runs, side by side. */
export function RunTable({ comparison: { document } }: Pick<Events, 'comparison'>) {
  const { behaviour, head } = document;
  const source = sourceOfCosts(behaviour.facts);
  const rows: readonly Row[] = [
    ['Log', head.a.path, head.b.path],
    ['Task', head.a.task ?? '', head.b.task ?? ''],
    ...factRows(behaviour.facts, head),
    ['Events', head.a.events.toLocaleString('en'), head.b.events.toLocaleString('en')],
  ];
  return (
    <section class="card">
      <TwoColumns a={head.a.episode} b={head.b.episode} rows={rows} />
      {source === '' ? null : <p class="tone-muted">{source}</p>}
    </section>
  );
}

/** The values of two runs, or of two subagents. */
function TwoColumns({ a: nameA, b: nameB, rows }: { a: string; b: string; rows: readonly Row[] }) {
  return (
    <table class="runs">
      <thead>
        <tr>
          <td />
          <th scope="col" class="side-a">
            A <Text text={nameA} />
          </th>
          <th scope="col" class="side-b">
            B <Text text={nameB} />
          </th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(([, a, b]) => a !== '' || b !== '')
          .map(([label, a, b]) => (
            <tr key={label} class={a === b ? undefined : 'differs'}>
              <th scope="row">{label}</th>
              <td>
                <LongText text={a} />
              </td>
              <td>
                <LongText text={b} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

interface StepProps {
  readonly events: Events | undefined;
}

/** A step of one run, with a link to its event. */
function Step({ events, side, step }: StepProps & { side: Side; step: ComparedStep | undefined }) {
  const letter = LETTERS[side];
  if (step === undefined)
    return (
      <li class={`step side-${side}`}>
        <span class="mark">{letter}</span> <span>nothing more</span>
      </li>
    );
  const pair = events === undefined ? -1 : events.comparison.pairOf(letter, step.line);
  const place = `${letter}, line ${step.line}`;
  return (
    <li class={`step side-${side}`}>
      {events === undefined || pair < 0 ? (
        <span class="mark">{place}</span>
      ) : (
        <button type="button" class="link" onClick={() => events.go({ view: 'events', line: pair + 1 })}>
          {place}
        </button>
      )}
      <span>
        <strong>
          <Text text={step.what} most={60} />
        </strong>{' '}
        <Text text={step.text} most={200} />
      </span>
    </li>
  );
}

const valueText = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);

/** A step that only one run has, or both sides of one that differs. */
function Difference({ of: { a, b, fields }, ...props }: StepProps & { of: StepDifference }) {
  return (
    <>
      {a && <Step {...props} side="a" step={a} />}
      {b && <Step {...props} side="b" step={b} />}
      <DifferentFields fields={fields} />
    </>
  );
}

/** Where the inputs or the results of a step differ. */
const DifferentFields = ({ fields = [] }: { fields?: StepDifference['fields'] | undefined }) => (
  <>
    {fields.map(({ path, a, b }) => (
      <li key={path} class="step-field">
        <code>
          <Text text={path === '' ? 'the input' : path} />
        </code>
        <pre class="step-value side-a">
          <LongText text={valueText(a)} />
        </pre>
        <pre class="step-value side-b">
          <LongText text={valueText(b)} />
        </pre>
      </li>
    ))}
  </>
);

/** The first step at which the runs part. */
export function Parting({ behaviour, ...props }: StepProps & { behaviour: LogBehaviour }) {
  const { parting } = behaviour;
  if (parting === undefined) return null;
  return (
    <section class="card parting">
      <h3>Where they part</h3>
      <p>{partingText(parting, behaviour)}</p>
      <ul>
        <Step {...props} side="a" step={parting.a} />
        <Step {...props} side="b" step={parting.b} />
        <DifferentFields fields={fieldsOnce(behaviour, SHOWN)(parting, true)} />
      </ul>
    </section>
  );
}

function ComparedFile({ file }: { file: FileDifference }) {
  const { path, pathInB, of, lines, more } = file;
  const rest = more + Math.max(0, lines.length - MOST_LINES);
  return (
    <details class="card" open>
      <summary class="diff-head">
        <code>
          <Text text={pathInB === undefined ? path : `A ${path}, B ${pathInB}`} />
        </code>
      </summary>
      {of === 'changes' && (
        <p class="tone-muted">
          {['The lines that the runs added and removed', notWholeText(file)].filter(Boolean).join(': ')}.
        </p>
      )}
      <pre class="compared-lines">
        {lines.slice(0, MOST_LINES).map(({ in: side, text }, at) => (
          <span key={at} class={side === 'both' ? 'tone-muted' : `side-${side}`}>
            {side === 'both' ? ' ' : LETTERS[side]} <Text text={text} />
            {'\n'}
          </span>
        ))}
      </pre>
      {rest > 0 && <p class="tone-muted">and {plural(rest, 'more line')}</p>}
    </details>
  );
}

/** The parts of the runs, if a component is about the runs. */
interface Parts {
  readonly parts?: readonly PartDifference[] | undefined;
}

/** How the runs left the files that they changed. */
export function ComparedFiles({
  files,
  parts,
}: Parts & {
  files: LogBehaviour['files'];
}) {
  const text = filesText(files, parts);
  if (text === '') return null;
  return (
    <section class="card">
      <h3>Files</h3>
      <p>
        <LongText text={text} />
      </p>
      {files.differ.map((file) => (
        <ComparedFile key={file.path} file={file} />
      ))}
    </section>
  );
}

/** The calls, results, failures and texts of both runs, and those of only one run. */
export function WhatTheyDid({ behaviour, events, parts }: StepProps & Parts & { behaviour: LogBehaviour }) {
  const { unit, steps, results, failed, sameTexts, texts } = behaviour;
  const fieldsOf = fieldsOnce(behaviour, SHOWN);
  const failures = failedText(behaviour, parts);
  const part = (label: string, text: string, only: readonly StepDifference[]): Field => [
    label,
    <>
      {text}
      <ul>
        {only.slice(0, MOST).map((one, index) => (
          <Difference key={index} events={events} of={{ ...one, fields: fieldsOf(one) }} />
        ))}
      </ul>
      {only.length > MOST && <p class="tone-muted">and {only.length - MOST} more</p>}
    </>,
  ];
  return (
    <section class="card what-they-did">
      <h3>What they did</h3>
      <Fields
        of={[
          part(unit === 'call' ? 'Calls' : 'Steps', stepsText(behaviour, parts), steps),
          ['Damaged', damagedText(behaviour)],
          ['Model', modelText(behaviour)],
          ...(results.same + results.differ.length === 0
            ? []
            : [part('Results', resultsText(behaviour), results.differ)]),
          ...(failures === '' ? [] : [part('Failed', failures, failed.only)]),
          part('Texts', counted(sameTexts, texts, 'text', ', the same'), texts),
        ]}
      />
    </section>
  );
}

/** The subagents of both runs, folded unless they did not do the same. */
export function ComparedParts({ parts = [] }: Parts) {
  if (parts.length === 0) return null;
  return (
    <section class="card">
      <h3>{partsLabel(parts)}</h3>
      <p>{partsText(parts)}</p>
      {parts.map((part, index) => (
        <ComparedPartView key={index} part={part} />
      ))}
    </section>
  );
}

function ComparedPartView({ part }: { part: PartDifference }) {
  const { a, b, equal, facts, behaviour } = part;
  const title = <Text text={partTitle(part)} />;
  if (!a || !b || !facts.a || !facts.b)
    return (
      <details class={`subagent side-${a ? 'a' : 'b'}`}>
        <summary>
          <span class="mark">{a ? 'A' : 'B'} only</span> {title}
        </summary>
        <ComparedFiles files={behaviour.files} />
        <WhatTheyDid events={undefined} behaviour={behaviour} />
      </details>
    );
  return (
    <details class="subagent" open={!equal}>
      <summary>
        {equal ? '=' : '≠'} {title}
      </summary>
      <TwoColumns a={a.name} b={b.name} rows={factRows({ a: facts.a, b: facts.b }, { a, b })} />
      <Parting events={undefined} behaviour={behaviour} />
      <ComparedFiles files={behaviour.files} />
      <WhatTheyDid events={undefined} behaviour={behaviour} />
    </details>
  );
}
