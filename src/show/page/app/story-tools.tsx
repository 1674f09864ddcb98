import { useRef } from 'preact/hooks';
import { Choose, type Option } from './filters.tsx';
import { useKeys } from './keys.ts';

interface FindProps {
  readonly sought: string;
  /** The number of items that have the text, and the place of the current one among them, from 0; -1 for none. */
  readonly count: number;
  readonly place: number;
  readonly onInput: (text: string) => void;
  readonly onStep: (step: 1 | -1) => void;
}

/** The search field of the story. Enter goes to the next place, and Esc back to the story, at the same place. */
export function FindInStory({ sought, count, place, onInput, onStep }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.select() });
  return (
    <>
      <input
        ref={field}
        type="search"
        aria-label="search the story"
        placeholder="Search the story  /"
        value={sought}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key !== 'Escape') return;
          else event.currentTarget.blur();
          event.preventDefault();
        }}
      />
      {sought !== '' && (
        <span class="buttons">
          <output>{count === 0 ? 'not found' : `${place < 0 ? '' : `${place + 1} of `}${count}`}</output>
          <button
            type="button"
            class="icon"
            aria-label="previous place"
            disabled={count === 0}
            onClick={() => onStep(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="icon"
            aria-label="next place"
            disabled={count === 0}
            onClick={() => onStep(1)}
          >
            ↓
          </button>
        </span>
      )}
    </>
  );
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly onSwitch: () => void;
  readonly children: string;
}

/** A button that is on or off. */
export const Switch = ({ isOn, onSwitch, children }: SwitchProps) => (
  <button type="button" class="switch" aria-pressed={isOn} onClick={onSwitch}>
    {children}
  </button>
);

interface ToolsProps {
  readonly tools: readonly string[];
  readonly tool: string;
  readonly onChoose: (tool: string) => void;
}

/** Selects the calls of one tool. */
export const ChooseTool = ({ tools, tool, onChoose }: ToolsProps) => (
  <Choose
    label="tool"
    value={tool}
    options={
      tools.length < 2
        ? []
        : [['', 'every tool'], ...tools.map((one): Option<string> => [one, one.slice(0, 80)])]
    }
    onChoose={onChoose}
  />
);
