// One thread that only reads and parses every file of many episodes: .jsonl line by line, .json whole.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

let documents = 0;

function visit(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) visit(path);
    else if (path.endsWith('.json')) {
      JSON.parse(readFileSync(path, 'utf8'));
      documents += 1;
    } else if (path.endsWith('.jsonl')) {
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        if (line === '') continue;
        JSON.parse(line);
        documents += 1;
      }
    }
  }
}

visit(process.argv[2]);
console.log(documents);
