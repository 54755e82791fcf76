// One run of the server: its process and the language client on it.
// It says when the process ended; whether to start another is not decided here.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import * as path from 'node:path';
import type { LogOutputChannel } from 'vscode';
import { workspace } from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient/node';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import { paint } from './features/tokens';
import type { Interpreter } from './interpreter';
import { isChosen } from './interpreter';

export const SELECTOR = [
  { language: 'python', scheme: 'file' },
  { language: 'python', scheme: 'untitled' },
  { language: 'python', scheme: 'vscode-notebook-cell' },
];
/** The server follows the project's settings while they are typed, and edits them as they are in the editor. */
const SETTINGS = { scheme: 'file', pattern: '**/pyproject.toml' };

export interface Session {
  readonly interpreter: Interpreter;
  readonly client: LanguageClient;
  /** Resolves when the server answered `initialize`, rejects when it never will. */
  readonly ready: Promise<void>;
  /** Resolves with a description once the process has ended, for whatever reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** What links in hovers may run. */
const LINKED_COMMANDS = ['graphwright.showPreview'];

const STOP_MILLISECONDS = 2_000;

/** Starts the bundled server with this interpreter. `folder` is the extension's. */
export function startSession(interpreter: Interpreter, folder: string, output: LogOutputChannel): Session {
  const server = spawnServer(interpreter, folder);
  const stderr = keepLastLine(server, output);
  const ended = new Promise<string>((resolve) => {
    server.once('error', (error) => resolve(error.message));
    server.once('close', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      resolve(stderr.last === '' ? how : `${how}: ${stderr.last}`);
    });
  });
  const client = new LanguageClient(
    'graphwright',
    'Graphwright',
    () => Promise.resolve(server),
    options(interpreter, output),
  );
  const ready = Promise.race([
    client.start(),
    ended.then((how) => Promise.reject(new Error(`the server ended before it was ready (${how})`))),
  ]);
  return { interpreter, client, ready, ended, stop: () => stop(client, server, ended) };
}

function spawnServer(interpreter: Interpreter, folder: string): ChildProcess {
  const script = path.join(folder, 'bundled', 'run.py');
  return spawn(interpreter.command, ['-I', '-X', 'utf8', script, 'server', '--stdio'], { cwd: folder });
}

function options(interpreter: Interpreter, output: LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: [...SELECTOR, SETTINGS],
    outputChannel: output,
    markdown: { isTrusted: { enabledCommands: LINKED_COMMANDS } },
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: {
      commands: true,
      interpreter: isChosen(interpreter) ? interpreter.command : undefined,
      trusted: workspace.isTrusted,
    },
    middleware: {
      provideDocumentSemanticTokens: async (document, token, next) => {
        paint(document, await next(document, token));
        return null;
      },
      provideDocumentRangeSemanticTokens: () => null,
      workspace: {
        configuration: async (params, token, next) => withoutEmptyLists(await next(params, token)),
      },
    },
    // The end of the process is what counts, and it is told to the user once, by the supervisor.
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
  };
}

/** An empty list in the editor means that nothing was said; to the server it would mean: report nothing. */
function withoutEmptyLists<Answer>(answer: Answer): Answer {
  const withoutEmpty = (section: unknown): unknown =>
    typeof section === 'object' && section !== null
      ? Object.fromEntries(Object.entries(section).filter(([, value]) => !(Array.isArray(value) && value.length === 0)))
      : section;
  return (Array.isArray(answer) ? answer.map(withoutEmpty) : answer) as Answer;
}

function keepLastLine(server: ChildProcess, output: LogOutputChannel): { last: string } {
  const kept = { last: '' };
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split(/\r?\n/)) {
      if (line.trim() !== '') {
        kept.last = line.trim();
        output.info(`server: ${line}`);
      }
    }
  });
  return kept;
}

async function stop(client: LanguageClient, server: ChildProcess, ended: Promise<string>): Promise<void> {
  try {
    await client.dispose(STOP_MILLISECONDS);
  } catch {
    // A client that never started, or whose server is gone, refuses to stop: the process decides.
  }
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_MILLISECONDS);
  if (!client.isRunning()) {
    server.stdin?.end();
  }
  await ended;
  clearTimeout(late);
}
