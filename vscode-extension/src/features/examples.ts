// Opens the examples of the walkthrough as documents that belong to no file, so that trying things out leaves nothing.
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable, TextDocument } from 'vscode';
import { commands, ViewColumn, window, workspace } from 'vscode';
import type { Context } from '../extension';

/** The command `graphwright.openExample`, with an example's name; without one it asks. */
export function examples({ extension }: Context): Disposable {
  const opened = new Map<string, TextDocument>();
  return commands.registerCommand('graphwright.openExample', async (name?: string) => {
    const chosen = NAMES.find((known) => known === name) ?? (await window.showQuickPick([...NAMES], { title: TITLE }));
    if (chosen === undefined) {
      return;
    }
    const before = opened.get(chosen);
    const document = before === undefined || before.isClosed ? await open(extension.extensionPath, chosen) : before;
    opened.set(chosen, document);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: false });
    await commands.executeCommand('setContext', `graphwright.opened.${chosen}`, true);
  });
}

const NAMES = ['undefined', 'consistency', 'collections', 'retracing', 'preview', 'convert'] as const;
const TITLE = 'What the example is about';

async function open(folder: string, name: string): Promise<TextDocument> {
  const content = await readFile(path.join(folder, 'media', 'walkthrough', `${name}.py`), 'utf8');
  return workspace.openTextDocument({ language: 'python', content });
}
