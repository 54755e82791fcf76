// Colours what the server's semantic tokens tell: the keywords of staged control flow, and what happens while tracing.
// VS Code shows the semantic tokens of one extension only, and those of Python's own must stay: so these are
// decorations, and VS Code itself is told of no tokens.
import type { Disposable, SemanticTokens, TextDocument, TextEditorDecorationType } from 'vscode';
import { Range, ThemeColor, window, workspace } from 'vscode';

/** What the tokens of a document look like, by the number that their modifiers make. */
const STYLES: ReadonlyMap<number, TextEditorDecorationType> = new Map([
  [1, window.createTextEditorDecorationType({ color: new ThemeColor('graphwright.stagedKeyword') })],
  [
    2,
    window.createTextEditorDecorationType({
      color: new ThemeColor('graphwright.tracedOnce'),
      fontStyle: 'italic',
    }),
  ],
]);

const painted = new Map<string, ReadonlyMap<number, Range[]>>();

/** Paints the tokens of a document wherever it is shown. */
export function paint(document: TextDocument, tokens: SemanticTokens | null | undefined): void {
  painted.set(document.uri.toString(), rangesOf(tokens?.data ?? new Uint32Array()));
  show();
}

/** Paints what is known of a document when another editor shows it. */
export function tokens(): Disposable {
  const followed = [
    window.onDidChangeVisibleTextEditors(show),
    workspace.onDidCloseTextDocument((document) => painted.delete(document.uri.toString())),
  ];
  return { dispose: () => [...followed, ...STYLES.values()].forEach((each) => each.dispose()) };
}

function show(): void {
  for (const editor of window.visibleTextEditors) {
    const ranges = painted.get(editor.document.uri.toString());
    STYLES.forEach((style, modifier) => editor.setDecorations(style, [...(ranges?.get(modifier) ?? [])]));
  }
}

function rangesOf(data: Uint32Array): ReadonlyMap<number, Range[]> {
  const found = new Map<number, Range[]>([...STYLES.keys()].map((modifier) => [modifier, []]));
  let line = 0;
  let column = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, columns = 0, length = 0, , modifier = 0] = data.subarray(at, at + 5);
    column = lines === 0 ? column + columns : columns;
    line += lines;
    found.get(modifier)?.push(new Range(line, column, line, column + length));
  }
  return found;
}
