import { Comparison } from './comparison.ts';
import { ComparisonPage } from './comparison-page.tsx';
import { start } from './start.ts';

void start<'comparison'>((document, a = '', b = '') => (
  <ComparisonPage comparison={new Comparison(document, a, b)} />
));
