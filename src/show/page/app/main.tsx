import { render } from 'preact';
import type { PageDocument } from '../page-data.ts';
import { Comparison } from './comparison.ts';
import { ComparisonPage } from './comparison-page.tsx';
import { Episode } from './episode.ts';
import { EpisodePage } from './episode-page.tsx';
import { ReportPage } from './report-page.tsx';
import { unpack } from './unpack.ts';

async function start(): Promise<void> {
  const app = document.getElementById('app');
  if (app === null) return;
  app.textContent = 'Reading …';
  try {
    const [text = '{}', lines = '', others = ''] = await Promise.all(
      ['document', 'lines-0', 'lines-1'].map(unpack),
    );
    const data: PageDocument = JSON.parse(text);
    app.textContent = '';
    if (data.kind === 'episode') render(<EpisodePage episode={new Episode(data, lines)} />, app);
    else if (data.kind === 'comparison')
      render(<ComparisonPage comparison={new Comparison(data, lines, others)} />, app);
    else render(<ReportPage document={data} />, app);
  } catch (error) {
    app.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : error}`;
  }
}

void start();
