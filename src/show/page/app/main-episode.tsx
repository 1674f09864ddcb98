import { Episode } from './episode.ts';
import { EpisodePage } from './episode-page.tsx';
import { start } from './start.ts';

void start<'episode'>((document, lines = '') => <EpisodePage episode={new Episode(document, lines)} />);
