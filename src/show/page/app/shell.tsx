import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type KeyHelp, useKeys } from './keys.ts';

/** A view of a page, and its tab. */
export interface Tab {
  readonly name: string;
  readonly title: string;
  /** The number on the tab. */
  readonly count?: number;
}

interface ShellProps {
  readonly head: ComponentChildren;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly onTab: (name: string) => void;
  readonly keys: readonly KeyHelp[];
  readonly version: string;
  readonly children: ComponentChildren;
}

const THEMES = ['auto', 'light', 'dark'] as const;

function Theme() {
  const [theme, set] = useState<(typeof THEMES)[number]>('auto');
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="icon"
      aria-label={`colours: ${theme}; change to ${next}`}
      onClick={() => set(next)}
    >
      {theme === 'auto' ? '◐' : theme === 'light' ? '○' : '●'}
    </button>
  );
}

function Help({ keys, version, onClose }: Pick<ShellProps, 'keys' | 'version'> & { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} aria-label="keys" onClose={onClose}>
      <header class="keys-head">
        <h2>Keys</h2>
        <button type="button" class="icon" aria-label="close" onClick={onClose}>
          ✕
        </button>
      </header>
      <dl class="keys">
        {keys.map(({ keys: names, does }) => (
          <div key={names}>
            <dt>
              {names.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="help-foot tone-muted">
        noesis {version}. This file contains everything that it shows, and loads nothing from the network.
      </p>
    </dialog>
  );
}

/** The frame of every page: head, tabs, colours, help for keys. */
export function Shell({ head, tabs, current, onTab, keys, version, children }: ShellProps) {
  const [help, setHelp] = useState(false);
  const title = tabs.find(({ name }) => name === current)?.title;
  const byNumber = Object.fromEntries(tabs.map(({ name }, index) => [String(index + 1), () => onTab(name)]));
  useKeys({ ...byNumber, '?': () => setHelp(!help) });
  const focusTab = (by: number) => {
    const at = tabs.findIndex(({ name }) => name === current);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    onTab(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <>
      <header class="top">
        <div class="head">{head}</div>
        <div class="buttons">
          <Theme />
          <button type="button" class="icon" aria-label="keys" onClick={() => setHelp(true)}>
            ?
          </button>
        </div>
        {tabs.length > 1 && (
          <div role="tablist" aria-label="views">
            {tabs.map(({ name, title, count }) => (
              <button
                key={name}
                id={`tab-${name}`}
                type="button"
                role="tab"
                aria-selected={name === current}
                aria-controls="view"
                tabIndex={name === current ? 0 : -1}
                onClick={({ currentTarget, detail }) => {
                  onTab(name);
                  // After a click, arrow keys belong to the view and not to the tabs.
                  if (detail > 0) currentTarget.blur();
                }}
                onKeyDown={({ key }) =>
                  key === 'ArrowRight' ? focusTab(1) : key === 'ArrowLeft' && focusTab(-1)
                }
              >
                {title}
                {count !== undefined && <small> {count.toLocaleString('en')}</small>}
              </button>
            ))}
          </div>
        )}
      </header>
      <main>
        <div id="view" {...(tabs.length > 1 && { role: 'tabpanel', 'aria-labelledby': `tab-${current}` })}>
          {title !== undefined && <h2 class="unseen">{title}</h2>}
          {children}
        </div>
      </main>
      {help && <Help keys={keys} version={version} onClose={() => setHelp(false)} />}
    </>
  );
}
