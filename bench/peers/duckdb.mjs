// Reads every value of a log with DuckDB: node duckdb.mjs <folder with its node_modules> <log>
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, log] = process.argv.slice(2);
const entry = createRequire(join(folder, 'package.json')).resolve('@duckdb/node-api');
const { DuckDBInstance } = await import(pathToFileURL(entry).href);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const source = `read_json('${log.replaceAll("'", "''")}', format = 'newline_delimited')`;
const reader = await connection.runAndReadAll(
  `select phase, count(*), count(distinct id), max(length(payload::varchar)) from ${source} group by phase`,
);
console.log(reader.getRows().length);
