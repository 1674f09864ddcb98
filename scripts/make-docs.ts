// Writes the generated part of docs/. The bytes are the same every time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildProgram } from '../commands/program.ts';
import { withOptionTables } from '../src/cli/help/option-tables.ts';
import { CATALOGUE } from '../src/dialects/catalogue.ts';
import { folderDialect } from '../src/dialects/registry.ts';
import { jsonSchema } from '../src/read/outputs/json-schema.ts';
import { OUTPUT_NAMES, OUTPUTS } from '../src/read/outputs/names.ts';
import { tablesPage } from '../src/show/render/export-page.ts';
import { familyPages, findingsPage } from '../src/show/render/findings-page.ts';
import { type DescribedOutput, outputsPage } from '../src/show/render/outputs-page.ts';

mkdirSync('docs/formats', { recursive: true });
writeFileSync('docs/findings.md', findingsPage(CATALOGUE));
mkdirSync('docs/findings', { recursive: true });
for (const [family, page] of familyPages(CATALOGUE)) writeFileSync(`docs/findings/${family}.md`, page);
writeFileSync('docs/formats/tables.md', tablesPage());

const outputs: DescribedOutput[] = [];
for (const name of OUTPUT_NAMES)
  outputs.push({ name, ...OUTPUTS[name], schema: await jsonSchema(name, folderDialect()) });
writeFileSync('docs/json.md', outputsPage(outputs));

const nothing = { env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const { commands } = await buildProgram(nothing as unknown as Parameters<typeof buildProgram>[0], undefined);
writeFileSync('docs/commands.md', withOptionTables(readFileSync('docs/commands.md', 'utf8'), commands));
