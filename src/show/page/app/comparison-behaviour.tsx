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
  failedText,
  filesText,
  modelText,
  notWholeText,
  partingText,
  partsLabel,
  partsText,
  partTitle,
  resultsText,
  stepsText,
} from '../../render/behaviour-words.ts';
import { factRows, sourceOfCosts } from '../../render/fact-rows.ts';
import { fieldsOnce, outcomesOf, withHow } from '../../render/shown-once.ts';
import { plural } from '../../render/tally.ts';
import type { Go } from './address.ts';
import type { Comparison } from './comparison.ts';
import { type Field, Fields } from './fields.tsx';
import { PairMark } from './side-by-side.tsx';
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
  const tasks = [head.a.task ?? '', head.b.task ?? ''] as const;
  const rows: readonly Row[] = [
    ...(tasks.join('') === '' ? [] : [['Task', ...tasks] as const]),
    ...factRows(behaviour.facts, head),
    ['Events', head.a.events.toLocaleString('en'), head.b.events.toLocaleString('en')],
  ];
  return (
    <section class="card">
      <TwoColumns
        a={{ name: head.a.episode, path: head.a.path }}
        b={{ name: head.b.episode, path: head.b.path }}
        rows={rows}
      />
      {source === '' ? null : <p class="tone-muted">{source}</p>}
    </section>
  );
}

/** A column of a table of two runs or two subagents. */
interface Column {
  readonly name: string;
  readonly path?: string;
}

/** The values of two runs, or of two subagents. A mark is at those that differ. */
function TwoColumns({ a, b, rows }: { a: Column; b: Column; rows: readonly Row[] }) {
  const differs = rows.some(([, ofA, ofB]) => ofA !== ofB);
  return (
    <>
      <table class="runs">
        <thead>
          <tr>
            <td />
            {(['a', 'b'] as const).map((side) => {
              const { name, path } = side === 'a' ? a : b;
              return (
                <th key={side} scope="col" class={`side-${side}`}>
                  {LETTERS[side]} <Text text={name} />
                  {path !== undefined && (
                    <div class="path">
                      <Text text={path} />
                    </div>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ofA, ofB]) => (
            <tr key={label}>
              <th scope="row">
                {label} {ofA !== ofB && <PairMark kind="changed" />}
              </th>
              <td>
                <LongText text={ofA} />
              </td>
              <td>
                <LongText text={ofB} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {differs && (
        <p class="tone-muted">
          <PairMark kind="changed" /> A and B differ in this row.
        </p>
      )}
    </>
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

const StepValue = ({ side, value }: { side: Side; value: unknown }) => (
  <pre class={`step-value side-${side}`}>
    <span class="mark">{LETTERS[side]}</span> <LongText text={valueText(value)} />
  </pre>
);

/** Where the inputs or the results of a step differ. */
const DifferentFields = ({ fields = [] }: { fields?: StepDifference['fields'] | undefined }) => (
  <>
    {fields.map(({ path, a, b }) => (
      <li key={path} class="step-field">
        <code>
          <Text text={path === '' ? 'the input' : path} />
        </code>
        <StepValue side="a" value={a} />
        <StepValue side="b" value={b} />
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
  const whole = notWholeText(file);
  return (
    <details class="card" open>
      <summary class="diff-head">
        <code>
          <Text text={pathInB === undefined ? path : `A ${path}, B ${pathInB}`} />
        </code>
      </summary>
      {of === 'changes' && (
        <p class="tone-muted">
          {`The lines that the runs added and removed${whole === '' ? '' : `: ${whole}`}.`}
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

interface WhatTheyDidProps extends StepProps {
  readonly behaviour: LogBehaviour;
  /** If it is about the runs, not about their subagents. */
  readonly head?: Comparison['document']['head'];
}

/** The calls, results, failures and texts of both runs, and those of only one run. */
export function WhatTheyDid({ behaviour, events, head }: WhatTheyDidProps) {
  const { parts } = head ?? {};
  const outcome = head === undefined ? [] : outcomesOf(head, behaviour);
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
          ...(failures === '' ? [] : [part('Failed', failures, failed.only.map(withHow))]),
          ...(outcome.length === 0 ? [] : [part('Outcome', counted(0, outcome, 'reason', ''), outcome)]),
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
      <TwoColumns a={a} b={b} rows={factRows({ a: facts.a, b: facts.b }, { a, b })} />
      <Parting events={undefined} behaviour={behaviour} />
      <ComparedFiles files={behaviour.files} />
      <WhatTheyDid events={undefined} behaviour={behaviour} />
    </details>
  );
}
