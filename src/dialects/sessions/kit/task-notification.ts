/** A message that a program sends in the user's name, about a background subagent or command. */
export interface TaskNotification {
  readonly task: string;
  readonly status: string | undefined;
  readonly tokens: number | undefined;
  readonly calls: number | undefined;
}

/** The notification that a text is; undefined for other texts. */
export function taskNotificationIn(text: string): TaskNotification | undefined {
  if (!/^\s*<task-notification>/.test(text)) return undefined;
  const said = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  const count = (name: string) => {
    const digits = said(name);
    return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
  };
  const task = said('task-id');
  return task === undefined
    ? undefined
    : {
        task,
        status: said('status'),
        tokens: count('subagent_tokens') ?? count('total_tokens'),
        calls: count('tool_uses'),
      };
}
