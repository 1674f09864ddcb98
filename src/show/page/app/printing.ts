import { useEffect, useState } from 'preact/hooks';

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  const [isPrinting, set] = useState(false);
  useEffect(() => {
    const media = matchMedia('print');
    const look = () => set(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return isPrinting;
}
