// Commands for the rewrites of a function, so that the palette, menus and keys have them; the server decides.
import type { Disposable } from 'vscode';
import { commands, Disposable as Together, Uri, workspace } from 'vscode';

const KINDS = {
  'graphwright.convertToGraph': 'refactor.rewrite.graphwright.tf-function',
  'graphwright.convertWithGraphwright': 'refactor.rewrite.graphwright.gw-function',
  'graphwright.rewriteAsTensorFlow': 'refactor.rewrite.graphwright.plain-tensorflow',
} as const;

/** Each command makes the rewrite at the cursor, or asks which one where there are several. */
export function converting(): Disposable {
  return Together.from(
    commands.registerCommand('graphwright.save', save),
    ...Object.entries(KINDS).map(([command, kind]) =>
      commands.registerCommand(command, () =>
        commands.executeCommand('editor.action.codeAction', { kind, apply: 'ifSingle' }),
      ),
    ),
  );
}

/** What an action has changed in a file that isn't before the user's eyes counts at once. */
async function save(uri: string): Promise<void> {
  await (await workspace.openTextDocument(Uri.parse(uri))).save();
}
