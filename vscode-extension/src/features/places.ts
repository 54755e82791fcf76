// Where something of a report is: in a file, which is named by its path, or in a notebook's cell, by its URI.
import { commands, Range, TextEditorRevealType, Uri, ViewColumn, window, workspace } from 'vscode';

const CELL = 'vscode-notebook-cell';

/** The URI of a file or a cell. */
export function uriOf(file: string): Uri {
  return file.startsWith(`${CELL}:`) ? Uri.parse(file) : Uri.file(file);
}

/** The path of the file that a URI is of: a cell's is its notebook's. */
export function fileOf(uri: Uri): Uri {
  return uri.scheme === CELL ? uri.with({ scheme: 'file', fragment: '' }) : uri;
}

/** Shows a line, counted from 0. */
export async function reveal(file: string, line: number): Promise<void> {
  const place = new Range(line, 0, line, 0);
  const uri = uriOf(file);
  if (uri.scheme === CELL) {
    // The notebook shows it: a cell has no editor of its own that could be asked for.
    const path = fileOf(uri).path;
    const viewColumn = window.visibleNotebookEditors.find(({ notebook }) => notebook.uri.path === path)?.viewColumn;
    await commands.executeCommand('vscode.open', uri, { selection: place, ...(viewColumn && { viewColumn }) });
    return;
  }
  const document = await workspace.openTextDocument(uri);
  const shown = window.visibleTextEditors.find((editor) => editor.document === document);
  const column = shown?.viewColumn ?? ViewColumn.One;
  const editor = await window.showTextDocument(document, { viewColumn: column, selection: place });
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
}
