/** What an error or another reason is called. Each program has its own titles for errors. */
export const reasonOf = (title: string, isOneProgram: boolean): string =>
  isOneProgram ? title : title.replace(/^.*error$/i, 'error');
