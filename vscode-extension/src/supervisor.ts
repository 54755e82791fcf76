// Keeps one server running: starts it, restarts it after a crash up to a limit, follows the settings.
// Every transition goes through one queue, so that no two of them overlap.
import type { CancellationToken, LogOutputChannel } from 'vscode';
import { commands, EventEmitter, window, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { findInterpreter } from './interpreter';
import type { Session } from './session';
import { startSession } from './session';
import type { Environment, Status } from './status';

const ENVIRONMENT = 'graphwright/environment';
const CRASH_LIMIT = 4;
const CRASH_LIMIT_BEFORE_READY = 1;
const CRASH_WINDOW_MILLISECONDS = 3 * 60_000;
const CRASH_PAUSES_MILLISECONDS = [0, 1_000, 2_000, 4_000];

export class Supervisor {
  private session: Session | undefined;
  private queue: Promise<void> = Promise.resolve();
  private crashes: number[] = [];
  private everReady = false;
  private closed = false;
  private readonly started = new EventEmitter<LanguageClient>();
  /** Fires each time a server has become ready. */
  readonly onReady = this.started.event;

  constructor(
    private readonly folder: string,
    private readonly output: LogOutputChannel,
    private readonly report: (status: Status) => void,
  ) {}

  /** Asks the running server; undefined where none is ready. */
  async request<Answer>(method: string, params: object, token?: CancellationToken): Promise<Answer | undefined> {
    const client = this.session?.client;
    if (!client?.isRunning()) {
      return undefined;
    }
    // A token that is undefined would be sent as a second parameter, and the first in a list with it.
    return token === undefined
      ? await client.sendRequest(method, params)
      : await client.sendRequest(method, params, token);
  }

  /** Starts the server afresh and forgives earlier crashes. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      this.crashes = [];
      this.everReady = false;
      await this.endSession();
      await this.begin();
    });
  }

  /** Restarts only if the settings or the chosen environment now ask for another interpreter. */
  async followInterpreter(): Promise<void> {
    const running = this.session?.interpreter;
    if (running !== undefined && isEnabled()) {
      const found = await findInterpreter(this.folder, this.output);
      if (!('problem' in found) && found.command === running.command) {
        return;
      }
    }
    await this.restart();
  }

  /** Ends the server for good. */
  close(): Promise<void> {
    this.closed = true;
    return this.enqueue(() => this.endSession());
  }

  private enqueue(transition: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(transition).catch((error: unknown) => this.output.error(String(error)));
    return this.queue;
  }

  private async begin(): Promise<void> {
    if (this.closed) {
      return;
    }
    if (!isEnabled()) {
      this.report({ kind: 'disabled' });
      return;
    }
    this.report({ kind: 'starting' });
    const found = await findInterpreter(this.folder, this.output);
    if ('problem' in found) {
      this.output.error(found.problem);
      this.report({ kind: 'no-python', reason: found.problem });
      void this.tellNoPython(found.problem);
      return;
    }
    this.output.info(`Starting the server with Python ${found.version}, ${found.command}, from ${found.origin}`);
    const session = startSession(found, this.folder, this.output);
    this.session = session;
    void session.ended.then((how) => this.sessionEnded(session, how));
    await session.ready.then(
      () => {
        this.everReady = true;
        this.started.fire(session.client);
        this.report({ kind: 'ready', interpreter: found });
        void this.tellEnvironment(session);
      },
      (error: unknown) => this.output.error(String(error)),
    );
  }

  private async tellEnvironment(session: Session): Promise<void> {
    const environment = await this.request<Environment | null>(ENVIRONMENT, {}).catch(() => undefined);
    if (environment && this.session === session) {
      this.report({ kind: 'ready', interpreter: session.interpreter, environment });
    }
  }

  private async endSession(): Promise<void> {
    const session = this.session;
    this.session = undefined; // from here on its end is no crash
    await session?.stop();
  }

  private sessionEnded(session: Session, how: string): void {
    if (this.session !== session || this.closed) {
      return;
    }
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < CRASH_WINDOW_MILLISECONDS), now];
    this.output.error(`The server ended unexpectedly (${how})`);
    if (this.crashes.length > (this.everReady ? CRASH_LIMIT : CRASH_LIMIT_BEFORE_READY)) {
      this.giveUp(how);
      return;
    }
    this.report({ kind: 'restarting' });
    const pause = CRASH_PAUSES_MILLISECONDS[this.crashes.length - 1] ?? 0;
    void this.enqueue(async () => {
      if (this.session !== session) {
        return;
      }
      await this.endSession();
      await new Promise((resolve) => setTimeout(resolve, pause));
      await this.begin();
    });
  }

  private giveUp(how: string): void {
    void this.enqueue(() => this.endSession());
    const reason = this.everReady ? `it ended ${this.crashes.length} times, last with ${how}` : `it ended with ${how}`;
    this.report({ kind: 'stopped', reason });
    void this.tellStopped(`Graphwright's server doesn't keep running: ${reason}.`);
  }

  private async tellStopped(message: string): Promise<void> {
    const choice = await window.showErrorMessage(message, 'Show Output', 'Restart');
    if (choice === 'Show Output') {
      this.output.show();
    } else if (choice === 'Restart') {
      await this.restart();
    }
  }

  private async tellNoPython(problem: string): Promise<void> {
    const message = `${problem} Graphwright needs Python 3.10 or newer: install one, or name it in the settings.`;
    const choice = await window.showErrorMessage(message, 'Open Settings', 'Show Output');
    if (choice === 'Open Settings') {
      await commands.executeCommand('workbench.action.openSettings', 'graphwright.interpreter');
    } else if (choice === 'Show Output') {
      this.output.show();
    }
  }
}

function isEnabled(): boolean {
  return workspace.getConfiguration('graphwright').get<boolean>('enable', true);
}
