// The requirements and the description of a release. Changes nothing.

/** The section of a version in the changelog; undefined if there is none. */
export function notesOf(changelog, version) {
  const start = changelog
    .split('\n')
    .findIndex((line) => line.startsWith(`## ${version} `) || line === `## ${version}`);
  if (start === -1) return undefined;
  const rest = changelog.split('\n').slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  const text = rest
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trim();
  return text === '' ? undefined : `${text}\n`;
}

/** Stops if the version is not documented, the working tree is not what is tagged, or the tag differs. */
export function requireReleasable({ version, notes, status, tags }, stop) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) return stop(`${version} is no version`);
  if (notes === undefined)
    return stop(`CHANGELOG.md has no section ## ${version}: rename Unreleased, with the day`);
  if (status !== '') return stop('the working tree has changes: commit them first');
  if (!tags.split('\n').includes(`v${version}`))
    return stop(`this commit is not tagged: git tag v${version}`);
  return undefined;
}

/** Names and contents as `sha256sum -c` reads them. */
export const checksums = (files, hash) => files.map(([name, bytes]) => `${hash(bytes)}  ${name}\n`).join('');
