// Commands for the rewrites of a function, so that the palette, menus and keys have them; the server decides.
import type { CodeAction, Disposable } from 'vscode';
import { commands, Disposable as Together, Uri, window, workspace } from 'vscode';

const KINDS = {
  'graphwright.convertToGraph': 'refactor.rewrite.graphwright.tf-function',
  'graphwright.convertWithGraphwright': 'refactor.rewrite.graphwright.gw-function',
  'graphwright.rewriteAsTensorFlow': 'refactor.rewrite.graphwright.plain-tensorflow',
} as const;

/** Each command makes the rewrite at the cursor, or asks which one where there are several. */
export function converting(): Disposable {
  return Together.from(
    commands.registerCommand('graphwright.save', save),
    ...Object.entries(KINDS).map(([command, kind]) => commands.registerCommand(command, () => rewrite(kind))),
  );
}

/**
 * Makes the one rewrite there is. Where there are several, or a reason why there is none, VS Code shows them; it isn't
 * left to make the one as well, because it drops its request when diagnostics arrive while the server thinks.
 */
async function rewrite(kind: string): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { document, selection } = editor;
  const { version } = document;
  const [only, other] = await commands.executeCommand<CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    selection,
    kind,
    2, // as many as have to have their edits
  );
  const single = other === undefined && document.version === version ? only : undefined;
  if (single?.edit === undefined || !(await workspace.applyEdit(single.edit))) {
    await commands.executeCommand('editor.action.codeAction', { kind, apply: 'ifSingle' });
  } else if (single.command !== undefined) {
    await commands.executeCommand(single.command.command, ...(single.command.arguments ?? []));
  }
}

/** What an action has changed in a file that isn't before the user's eyes counts at once. */
async function save(uri: string): Promise<void> {
  await (await workspace.openTextDocument(Uri.parse(uri))).save();
}
