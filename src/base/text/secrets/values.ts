/** Words that follow a secret's name in code and prose but are not secrets. */
const HARMLESS =
  /^(?:string|str|number|int|integer|bool|boolean|null|none|nil|undefined|true|false|any|unknown|object|void|bytes|char|varchar|text|required|optional|missing|invalid|valid|expired|incorrect|wrong|is|was|are|not|no|yes|the|an?|and|or|of|for|to|in|on|from|with|must|should|cannot|can|has|have|will|empty|unset|set|redacted|hidden|masked|see|it|const|let|var|new|await|return|default|self|this)$/i;

/** A reference to a value elsewhere: a variable, a template, a mask. */
const REFERENCE =
  /^(?:\$[A-Z_][A-Z0-9_]*|\$\{[^}]*\}+|\$\([^)]*\)?|%[A-Z_][A-Z0-9_]*%|\{\{[^}]*\}\}|\$\{\{[^}]*\}\}|<[^<>]*>|[*•.xX_-]{3,}|(?:process|os|env|self|this|config|cfg|settings|options|opts|args|params|props|req|request|ctx|context|user|data|secrets|vars|inputs|import|module|local|form|body|state|res|response|event)(?:\.[A-Za-z_$][\w$]*|\[["']?\w+["']?\])+)$/;

/** A sentence of at least four plain words, as in a form's message. */
const SENTENCE = /^[A-Z][a-z']+(?:[ ,][ ]?[A-Za-z']+){3,}[.!?]?$/;

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** Whether a text after a secret's name is harmless: a reference, a type, an ordinary word, code. */
export function isHarmless(text: string, name: string, after: string): boolean {
  if (text === '' || HARMLESS.test(text) || REFERENCE.test(text) || SENTENCE.test(text)) return true;
  // `connect(password=password)`, `token: Token`, `api_key=api_key`.
  if (
    (/^[A-Za-z]+$/.test(text) && letters(name).endsWith(letters(text))) ||
    (/^[A-Za-z][A-Za-z_-]+$/.test(text) &&
      name.toLowerCase().replaceAll('-', '_').endsWith(text.toLowerCase().replaceAll('-', '_')))
  )
    return true;
  // `token: 42 tokens used`, `token: "}"`.
  if (/token$/i.test(name) && (/^(?:\d{1,5}|\W+)$/.test(text) || /^ tokens?\b/.test(after))) return true;
  // A command of PowerShell: `Read-Host "Password"`.
  if (/^[A-Z][a-z]+-[A-Z][A-Za-z]+$/.test(text) && /^ +["'$(-]/.test(after)) return true;
  // A call or a generic type: `getToken()`, `Optional[str]`, `Promise<string>`.
  return (
    /^[A-Za-z_$][\w$.]*$/.test(text) && /^(?:\([^\n]{0,80}\)|\[[\w., ]{1,40}\]|<[\w., ]{1,40}>)/.test(after)
  );
}
