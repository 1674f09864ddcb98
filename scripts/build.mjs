// Builds dist/; on a fresh clone it first installs the locked dependencies and generates what the sources import.
await import('./ready.mjs');
await import('./bundle.mjs');
