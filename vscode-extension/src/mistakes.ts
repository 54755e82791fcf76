// What is certainly wrong with the arguments of a call that somebody types, seen from brackets and quotes alone.
// Whether they fit the function isn't known here.

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** One mistake in words, or undefined where none is certain. */
export function mistakeIn(text: string): string | undefined {
  const open: string[] = [];
  for (const [token] of text.matchAll(/'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|[()[\]{}]|\.\.\./g)) {
    if (token === '...') {
      return 'Replace ... with a value.';
    }
    if (token.startsWith("'") || token.startsWith('"')) {
      if (token.length < 2 || !token.endsWith(token[0] as string)) {
        return 'Unterminated string.';
      }
    } else if (token in CLOSING) {
      open.push(CLOSING[token] as string);
    } else if (open.pop() !== token) {
      return `Unmatched ${token}.`;
    }
  }
  return open.length === 0 ? undefined : `Missing ${open.at(-1)}.`;
}
