import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { escapeText } from '../../render/escape.ts';

/** Whether folded texts are in the document, so that the browser finds them. Longer stories have their own search. */
export const HasFolded = createContext(false);

interface FoldedProps {
  readonly text: string;
  /** Called when a search found the text. It must show it in place of this. */
  readonly onFound: () => void;
}

/** A text that is hidden until somebody searches for it: by the browser, or by the page. */
export function Folded({ text, onFound }: FoldedProps) {
  const isThere = useContext(HasFolded);
  const box = useRef<HTMLElement>(null);
  const found = useRef(onFound);
  found.current = onFound;
  useLayoutEffect(() => {
    const { current } = box;
    const open = () => found.current();
    current?.addEventListener('beforematch', open);
    return () => current?.removeEventListener('beforematch', open);
  }, [isThere]);
  if (!isThere || text === '') return null;
  return (
    <bdi class="folded" hidden="until-found" ref={box}>
      {text.split('\n').map(escapeText).join('\n')}
    </bdi>
  );
}
