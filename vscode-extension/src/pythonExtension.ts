// Follows the environment chosen in the Python extension (ms-python.python), which need not be installed.
// Whatever that extension does wrong costs only its suggestion.
import type { Disposable, Event, LogOutputChannel, Uri } from 'vscode';
import { commands, extensions, workspace } from 'vscode';

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: { readonly fsPath: string } | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

const PYTHON_EXTENSION = 'ms-python.python';
const PATIENCE_MILLISECONDS = 10_000;

/** The path of the chosen interpreter, or undefined where there is none or no Python extension. */
export async function activeEnvironment(output: LogOutputChannel): Promise<string | undefined> {
  try {
    return await withPatience(askForEnvironment());
  } catch (error) {
    output.warn(`The Python extension's environment could not be read: ${String(error)}`);
    return undefined;
  }
}

/** Lets the user select an interpreter: in the Python extension where it is installed, else in the settings. */
export async function selectInterpreter(): Promise<void> {
  if (extensions.getExtension(PYTHON_EXTENSION) !== undefined) {
    await commands.executeCommand('python.setInterpreter');
  } else {
    await commands.executeCommand('workbench.action.openSettings', 'graphwright.interpreter');
  }
}

/** Calls `changed` whenever another environment is chosen, or the Python extension comes or goes. */
export function followEnvironment(changed: () => void, output: LogOutputChannel): Disposable {
  let subscription: Disposable | undefined;
  const subscribe = async (): Promise<void> => {
    try {
      const python = await activated();
      subscription ??= python?.environments.onDidChangeActiveEnvironmentPath(changed);
    } catch (error) {
      output.warn(`The Python extension can't be followed: ${String(error)}`);
    }
  };
  void subscribe();
  const appearing = extensions.onDidChange(() => {
    if (subscription === undefined && extensions.getExtension(PYTHON_EXTENSION) !== undefined) {
      void subscribe().then(changed);
    }
  });
  return {
    dispose: () => {
      appearing.dispose();
      subscription?.dispose();
    },
  };
}

async function askForEnvironment(): Promise<string | undefined> {
  const python = await activated();
  if (python === undefined) {
    return undefined;
  }
  const chosen = python.environments.getActiveEnvironmentPath(workspace.workspaceFolders?.[0]?.uri);
  const resolved = await python.environments.resolveEnvironment(chosen);
  return resolved?.executable.uri?.fsPath;
}

async function activated(): Promise<PythonExtension | undefined> {
  const extension = extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  const python = extension?.isActive ? extension.exports : await extension?.activate();
  return python?.environments === undefined ? undefined : python;
}

function withPatience<T>(promise: Promise<T>): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer')), PATIENCE_MILLISECONDS)),
  ]);
}
