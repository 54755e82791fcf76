// Opens the examples of the walkthrough as documents that belong to no file, so that trying things out leaves nothing.
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from 'vscode';
import { commands, languages, Position, Selection, Uri, ViewColumn, window, workspace } from 'vscode';
import type { Context } from '../extension';

/** The command `graphwright.openExample`, with an example's name; without one it asks. */
export function examples({ extension }: Context): Disposable {
  return commands.registerCommand('graphwright.openExample', async (name?: string) => {
    const chosen = NAMES.find((known) => known === name) ?? (await window.showQuickPick([...NAMES], { title: TITLE }));
    if (chosen === undefined) {
      return;
    }
    await open(path.join(extension.extensionPath, 'media', 'walkthrough', `${chosen}.py`));
    await commands.executeCommand('setContext', `graphwright.opened.${chosen}`, true);
  });
}

const NAMES = ['undefined', 'consistency', 'collections', 'retracing', 'preview', 'convert'] as const;
const TITLE = 'About this example';

/** The text comes after the tab: VS Code opens a second tab for a document that is changed before it is shown. */
async function open(file: string): Promise<void> {
  const uri = Uri.from({ scheme: 'untitled', path: path.basename(file) });
  const document = await languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), 'python');
  const editor = await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: false });
  if (document.getText() === '') {
    const text = await readFile(file, 'utf8');
    await editor.edit((edit) => edit.insert(new Position(0, 0), text));
    editor.selection = new Selection(0, 0, 0, 0);
  }
}
