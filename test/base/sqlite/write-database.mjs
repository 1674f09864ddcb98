// Runs the statements in standard input, one per line, on a database: node write-database.mjs PATH
import { readFileSync } from 'node:fs';
import sqlite from 'node-sqlite3-wasm';

const database = new sqlite.Database(process.argv[2]);
database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA foreign_keys=OFF;');
for (const statement of readFileSync(0, 'utf8').split('\n')) database.exec(statement);
database.close();
