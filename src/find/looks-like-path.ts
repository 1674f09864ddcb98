const PATH = /[/\\]|^[.~]|\.(?:jsonl|ndjson|json|log)$/;

/** Whether a text can only be a path: ids have no slash and no file extension. */
export const looksLikePath = (text: string): boolean => PATH.test(text);
