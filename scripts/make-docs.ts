// Writes the generated part of docs/. The bytes are the same every time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { CATALOGUE } from '../src/dialects/catalogue.ts';
import { tablesPage } from '../src/show/render/export-page.ts';
import { findingsPage } from '../src/show/render/findings-page.ts';

mkdirSync('docs/formats', { recursive: true });
writeFileSync('docs/findings.md', findingsPage(CATALOGUE));
writeFileSync('docs/formats/tables.md', tablesPage());
