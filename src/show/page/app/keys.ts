import { useEffect, useRef } from 'preact/hooks';

/** The action of a key, and its text in the help. */
export interface KeyHelp {
  readonly keys: string;
  readonly does: string;
}

type Keys = Readonly<Record<string, () => void>>;

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=range]), select, textarea');

/** Whether arrow keys have another meaning on an element: in a list of tabs, on a slider. */
const hasOwnArrows = ({ target, key }: KeyboardEvent): boolean =>
  key.startsWith('Arrow') && target instanceof HTMLElement && target.matches('[type=range], [role=tab]');

const pressesButton = ({ target, key }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.matches('button, a, summary');

/** Handles keys, except in an input field. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const answer = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // A dialog has its own keys: Esc closes it.
      if (document.querySelector('dialog[open]') !== null) return;
      if (isTyping(event) || hasOwnArrows(event) || pressesButton(event)) return;
      const { current } = latest;
      const act = Object.hasOwn(current, event.key) ? current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', answer);
    return () => removeEventListener('keydown', answer);
  }, []);
}
