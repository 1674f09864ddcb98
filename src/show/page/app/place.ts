import { useEffect, useState } from 'preact/hooks';

/** The current view and the line of the selected event. The address contains both: `#events/12`. */
export interface Place {
  readonly view: string;
  readonly line: number | undefined;
}

export type Go = (to: Partial<Place>) => void;

function placeOf(hash: string, views: readonly string[]): Place {
  const [, view = '', line] = /^#(\w*)(?:\/(\d{1,15}))?$/.exec(hash) ?? [];
  return {
    view: views.includes(view) ? view : (views[0] ?? ''),
    line: line === undefined ? undefined : Number(line),
  };
}

const hashOf = ({ view, line }: Place): string => `#${view}${line === undefined ? '' : `/${line}`}`;

/** The place in the page, which its address stores. The back button returns to the previous view. */
export function usePlace(views: readonly string[]): readonly [Place, Go] {
  const [place, setPlace] = useState(() => placeOf(location.hash, views));
  useEffect(() => {
    const read = () => setPlace(placeOf(location.hash, views));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const go: Go = (to) =>
    setPlace((before) => {
      const next = { ...before, ...to };
      if (hashOf(next) === hashOf(before)) return before;
      if (next.view === before.view) history.replaceState(null, '', hashOf(next));
      else history.pushState(null, '', hashOf(next));
      return next;
    });
  return [place, go];
}
