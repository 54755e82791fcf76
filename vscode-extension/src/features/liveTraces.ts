// Live traces: has programs that are started in a terminal tell of their traces, and removes what they told.
// What is shown of them the server knows.
import { commands, Disposable, FileType, Uri, window, workspace } from 'vscode';
import type { Context } from '../extension';

const VARIABLE = 'GRAPHWRIGHT_TRACES';

export function liveTraces({ extension }: Context): Disposable {
  const variables = extension.environmentVariableCollection;
  variables.description =
    'Makes Python programs record their traces for Graphwright (`graphwright.liveTraces.record`).';
  const follow = (): void => {
    if (workspace.getConfiguration('graphwright').get<boolean>('liveTraces.record', false)) {
      variables.replace(VARIABLE, '1');
    } else {
      variables.delete(VARIABLE);
    }
  };
  follow();
  return Disposable.from(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('graphwright.liveTraces.record')) {
        follow();
      }
    }),
    commands.registerCommand('graphwright.clearLiveTraces', clear),
  );
}

async function clear(): Promise<void> {
  let count = 0;
  for (const found of await accounts()) {
    await workspace.fs.delete(found);
    count += 1;
  }
  const message = count === 0 ? 'No live traces to clear.' : 'Live traces cleared.';
  window.setStatusBarMessage(`Graphwright: ${message}`, 5_000);
}

async function accounts(): Promise<Uri[]> {
  const found: Uri[] = [];
  for (const file of await workspace.findFiles('**/.graphwright/.gitignore', '**/node_modules/**')) {
    const folder = Uri.joinPath(file, '..', 'traces');
    try {
      const entries = await workspace.fs.readDirectory(folder);
      const files = entries.filter(([name, type]) => type === FileType.File && name.endsWith('.json'));
      found.push(...files.map(([name]) => Uri.joinPath(folder, name)));
    } catch {
      // A folder that is gone has nothing to clear.
    }
  }
  return found;
}
