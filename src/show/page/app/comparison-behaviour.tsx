import type { ComparedStep, StepDifference } from '../../../read/compare/behaviour.ts';
import { counted, filesText } from '../../render/behaviour-view.ts';
import type { Comparison } from './comparison.ts';
import { type Field, Fields } from './fields.tsx';
import type { Go } from './place.ts';
import { Text } from './text.tsx';

/** The number of differences shown in each part. */
const MOST = 50;

interface BehaviourProps {
  readonly comparison: Comparison;
  readonly go: Go;
}

/** A step that only one run has, with a link to its event. */
function Step({ comparison, go, of: { a, b } }: BehaviourProps & { of: StepDifference }) {
  const side = (letter: 'A' | 'B', step: ComparedStep | undefined) => {
    if (step === undefined) return null;
    const pair = comparison.pairOf(letter, step.line);
    const [sign, kind] = letter === 'A' ? ['−', 'missing'] : ['+', 'added'];
    return (
      <li class={`step kind-${kind}`}>
        <span class="mark">{sign}</span>
        <button type="button" class="link" onClick={() => go({ view: 'events', line: pair + 1 })}>
          {letter}, line {step.line}
        </button>
        <span>
          <strong>
            <Text text={step.what} most={60} />
          </strong>{' '}
          <Text text={step.text} most={200} />
        </span>
      </li>
    );
  };
  return (
    <>
      {side('A', a)}
      {side('B', b)}
    </>
  );
}

/** The calls, failures, files and texts of both runs, and those of only one run. */
export function WhatTheyDid({ comparison, go }: BehaviourProps) {
  const { unit, sameSteps, steps, failed, files, sameTexts, texts } = comparison.document.behaviour;
  const part = (label: string, text: string, only: readonly StepDifference[]): Field => [
    label,
    <>
      {text}
      <ul>
        {only.slice(0, MOST).map((one, index) => (
          <Step key={index} comparison={comparison} go={go} of={one} />
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
          part(
            unit === 'call' ? 'Calls' : 'Steps',
            counted(sameSteps, steps, unit, ', the same in the same order'),
            steps,
          ),
          part('Failed', counted(failed.both, failed.only, unit, ', in both'), failed.only),
          ['Files', filesText(files)],
          part('Texts', counted(sameTexts, texts, 'text', ', the same'), texts),
        ]}
      />
    </section>
  );
}
