/** The file name for the page of a run. Every file system accepts it. */
export function pageName(name: string): string {
  return `${
    name
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 100) || 'log'
  }.html`;
}
