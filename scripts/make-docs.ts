// Writes the generated part of docs/. The bytes are the same every time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { CATALOGUE } from '../src/dialects/catalogue.ts';
import { tablesPage } from '../src/show/render/export-page.ts';
import { familyPages, findingsPage } from '../src/show/render/findings-page.ts';

mkdirSync('docs/formats', { recursive: true });
writeFileSync('docs/findings.md', findingsPage(CATALOGUE));
mkdirSync('docs/findings', { recursive: true });
for (const [family, page] of familyPages(CATALOGUE)) writeFileSync(`docs/findings/${family}.md`, page);
writeFileSync('docs/formats/tables.md', tablesPage());
