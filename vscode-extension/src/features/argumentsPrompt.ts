// Asks for the arguments of a call, prefilled with what the server inferred or the user entered last time.
// It doesn't check whether they fit the function.
import type { Memento, Uri } from 'vscode';
import { ThemeIcon, window } from 'vscode';
import { mistakeIn } from '../mistakes';
import type { Action } from '../report';

interface Specs {
  readonly function: string;
  readonly arguments: string;
}

const PURPOSE = {
  trace: 'Specs are enough. Separate several calls with semicolons to see which of them retrace.',
  time: 'Graphwright replaces each spec with a generated tensor.',
  run: 'Graphwright replaces each spec with a generated tensor.',
} as const;
const INFERRED = { iconPath: new ThemeIcon('discard'), tooltip: 'Reset to Inferred Arguments' };

/** The text that the user entered, or undefined if they canceled. */
export function askForArguments(memory: Memento, uri: Uri, specs: Specs, action: Action): Promise<string | undefined> {
  const key = `arguments:${uri.toString()}#${specs.function}`;
  const box = window.createInputBox();
  box.title = `${action[0]?.toUpperCase()}${action.slice(1)} ${specs.function}: with which arguments?`;
  box.prompt = PURPOSE[action];
  box.placeholder = 'x=tf.TensorSpec([None, 3], tf.float32), n=2';
  box.value = memory.get<string>(key) ?? specs.arguments;
  box.ignoreFocusOut = true;
  box.buttons = box.value === specs.arguments ? [] : [INFERRED];
  return new Promise((resolve) => {
    box.onDidTriggerButton(() => {
      box.value = specs.arguments;
      box.validationMessage = undefined;
    });
    box.onDidChangeValue((text) => (box.validationMessage = mistakeIn(text)));
    box.onDidAccept(() => {
      box.validationMessage = mistakeIn(box.value);
      if (box.validationMessage === undefined) {
        void memory.update(key, box.value === specs.arguments ? undefined : box.value);
        resolve(box.value);
        box.hide();
      }
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
