import { useRef } from 'preact/hooks';
import { useKeys } from './keys.ts';

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

/** The search field of a list: `/` moves the focus to it, Esc and Enter back to the list. */
export function SearchField({ label, value, onInput }: SearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder="Search  /"
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => (key === 'Escape' || key === 'Enter') && currentTarget.blur()}
    />
  );
}

/** A value and its label. */
export type Option<Value extends string> = readonly [value: Value, text: string];

interface ChooseProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChoose: (value: Value) => void;
}

/** Selects one of several values; hidden if there is only one. */
export function Choose<Value extends string>({ label, value, options, onChoose }: ChooseProps<Value>) {
  if (options.length < 2) return null;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex];
        if (chosen !== undefined) onChoose(chosen[0]);
      }}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
