import { ReportPage } from './report-page.tsx';
import { start } from './start.ts';

void start<'report'>((document) => <ReportPage document={document} />);
