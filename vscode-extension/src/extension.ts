// The extension's door: wires commands, settings and the Python extension to the supervisor.
import type { Disposable, ExtensionContext, LogOutputChannel } from 'vscode';
import { commands, window, workspace } from 'vscode';
import { agent } from './features/agent';
import { converting } from './features/converting';
import { coverage } from './features/coverage';
import { examples } from './features/examples';
import { liveTraces } from './features/liveTraces';
import { preview } from './features/preview';
import { tokens } from './features/tokens';
import { followEnvironment } from './pythonExtension';
import { SELECTOR } from './session';
import { createStatusItem, show } from './status';
import { Supervisor } from './supervisor';

/** What a feature is given to register itself with. */
export interface Context {
  readonly extension: ExtensionContext;
  readonly output: LogOutputChannel;
  readonly server: Supervisor;
}

/** One file of src/features/ each: it registers commands and providers and talks to the server by requests. */
const FEATURES: readonly ((context: Context) => Disposable)[] = [
  agent,
  converting,
  coverage,
  examples,
  liveTraces,
  preview,
  tokens,
];

let supervisor: Supervisor | undefined;

export function activate(context: ExtensionContext): void {
  const output = window.createOutputChannel('Graphwright', { log: true });
  const status = createStatusItem(SELECTOR);
  const server = new Supervisor(context.extensionPath, output, (now) => {
    show(status, now);
    void commands.executeCommand('setContext', 'graphwright.ready', now.kind === 'ready');
  });
  supervisor = server;
  const follow = (): void => void server.followInterpreter();
  context.subscriptions.push(
    output,
    status,
    commands.registerCommand('graphwright.restartServer', () => server.restart()),
    commands.registerCommand('graphwright.showOutput', () => output.show()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('graphwright.enable') || event.affectsConfiguration('graphwright.interpreter')) {
        follow();
      }
    }),
    // Whether code may be run is told to a server when it starts.
    workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
    followEnvironment(follow, output),
    ...FEATURES.map((register) => register({ extension: context, output, server })),
  );
  void server.restart();
}

export async function deactivate(): Promise<void> {
  await supervisor?.close();
}
