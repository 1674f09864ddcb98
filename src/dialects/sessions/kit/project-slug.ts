/** The name that Claude Code and Qwen Code give to the folder of a project's sessions. */
export const projectSlug = (cwd: string): string => cwd.replace(/[^A-Za-z0-9]/g, '-');
