// Writes the generated part of docs/: the same bytes every time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { CATALOGUE } from '../src/dialects/catalogue.ts';
import { findingsPage } from '../src/render/findings-page.ts';

mkdirSync('docs', { recursive: true });
writeFileSync('docs/findings.md', findingsPage(CATALOGUE));
