// Writes the generated part of docs/: the same bytes every time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { findingsPage } from '../src/render/findings-page.ts';
import { CATALOGUE } from '../src/verify/catalogue/index.ts';

mkdirSync('docs', { recursive: true });
writeFileSync('docs/findings.md', findingsPage(CATALOGUE));
