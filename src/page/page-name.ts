/** The name of a page's file: what every file system takes, whatever a run is called. */
export function pageName(name: string): string {
  return `${
    name
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 100) || 'log'
  }.html`;
}
