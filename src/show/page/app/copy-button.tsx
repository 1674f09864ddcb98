import { useEffect, useState } from 'preact/hooks';

/** In milliseconds: how long a button says that it has copied. */
const SAID = 1500;

/** Copies a text. Browsers without a clipboard for files copy a selection. */
async function copyText(text: string): Promise<boolean> {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (copied) return true;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}

interface CopyProps {
  /** The text as the log has it. */
  readonly text: string;
  /** What it is, such as `command`. */
  readonly what: string;
}

/** A button that copies a text. */
export function CopyButton({ text, what }: CopyProps) {
  const [said, say] = useState<'copied' | 'not copied'>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => say(undefined), SAID);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      class="copy"
      aria-label={said ?? `copy the ${what}`}
      title={`copy the ${what}`}
      onClick={async (event) => {
        event.stopPropagation();
        const { currentTarget } = event;
        say((await copyText(text)) ? 'copied' : 'not copied');
        currentTarget.focus();
      }}
    >
      {said === undefined ? <span class="copy-icon" /> : said === 'copied' ? '✓' : '✗'}
    </button>
  );
}
