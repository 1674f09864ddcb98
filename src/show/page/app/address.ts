import { useEffect, useState } from 'preact/hooks';

/** The current view and the line of the selected event. The address contains both: `#events/12`. */
export interface Address {
  readonly view: string;
  readonly line: number | undefined;
}

export type Go = (to: Partial<Address>) => void;

function addressOf(hash: string, views: readonly string[]): Address {
  const [, view = '', line] = /^#(\w*)(?:\/(\d{1,15}))?$/.exec(hash) ?? [];
  return {
    view: views.includes(view) ? view : (views[0] ?? ''),
    line: line === undefined ? undefined : Number(line),
  };
}

const hashOf = ({ view, line }: Address): string => `#${view}${line === undefined ? '' : `/${line}`}`;

/** The view and the line in the address of the page. The back button returns to the previous view. */
export function useAddress(views: readonly string[]): readonly [Address, Go] {
  const [address, setAddress] = useState(() => addressOf(location.hash, views));
  useEffect(() => {
    const read = () => setAddress(addressOf(location.hash, views));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const go: Go = (to) =>
    setAddress((before) => {
      const next = { ...before, ...to };
      if (hashOf(next) === hashOf(before)) return before;
      if (next.view === before.view) history.replaceState(null, '', hashOf(next));
      else history.pushState(null, '', hashOf(next));
      return next;
    });
  return [address, go];
}
