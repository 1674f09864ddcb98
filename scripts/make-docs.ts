// Writes the generated part of docs/. The bytes are the same every time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildProgram } from '../commands/program.ts';
import { withOptionTables } from '../src/cli/help/option-tables.ts';
import { CATALOGUE } from '../src/dialects/catalogue.ts';
import { tablesPage } from '../src/show/render/export-page.ts';
import { familyPages, findingsPage } from '../src/show/render/findings-page.ts';

mkdirSync('docs/formats', { recursive: true });
writeFileSync('docs/findings.md', findingsPage(CATALOGUE));
mkdirSync('docs/findings', { recursive: true });
for (const [family, page] of familyPages(CATALOGUE)) writeFileSync(`docs/findings/${family}.md`, page);
writeFileSync('docs/formats/tables.md', tablesPage());

const nothing = { env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const { commands } = await buildProgram(nothing as unknown as Parameters<typeof buildProgram>[0], undefined);
writeFileSync('docs/commands.md', withOptionTables(readFileSync('docs/commands.md', 'utf8'), commands));
