// Traces, times and runs the function at the cursor when the user asks for it, and shows what came of it.
// The server runs the code, in a process of its own; here is only the asking and the showing.
import type { LogOutputChannel, Position } from 'vscode';
import { CancellationTokenSource, commands, Disposable, ProgressLocation, Uri, window, workspace } from 'vscode';
import type { Context } from '../extension';
import { findInterpreter, isChosen } from '../interpreter';
import { activeEnvironment, selectInterpreter } from '../pythonExtension';
import type { Action, Report } from '../report';
import { askForArguments } from './argumentsPrompt';
import { Results } from './results';
import { RunErrors } from './runErrors';
import { RunMarks } from './runMarks';

interface Specs {
  readonly function: string;
  readonly parameters: readonly { readonly name: string; readonly spec: string }[];
  readonly arguments: string;
  /** What is in the way of running it, such as an interpreter without TensorFlow. */
  readonly problem?: string | null;
}

interface Place {
  readonly uri: Uri;
  readonly position: { readonly line: number; readonly character: number };
}

/** One function and what is to be done with it. */
export interface Job extends Place {
  readonly function: string;
  readonly arguments: string;
  readonly action: Action;
}

const WORDS = { trace: 'Tracing', time: 'Timing', run: 'Running' } as const;

export function agent(context: Context): Disposable {
  const errors = new RunErrors();
  const marks = new RunMarks();
  const results = new Results(
    context.extension.extensionUri,
    (job, action) => void perform(context, show, { ...job, action }),
  );
  const show = (job: Job, report: Report): void => {
    errors.show(report);
    marks.show(job, report);
    results.show(job, report);
    void commands.executeCommand('setContext', 'graphwright.hasResults', true);
  };
  const ask =
    (action: Action) =>
    async (uri?: unknown, position?: unknown): Promise<void> => {
      const place = placeOf(uri, position);
      if (place !== undefined) {
        await askAndPerform(context, show, place, action);
      }
    };
  return Disposable.from(
    errors,
    marks,
    results,
    commands.registerCommand('graphwright.trace', ask('trace')),
    commands.registerCommand('graphwright.time', ask('time')),
    commands.registerCommand('graphwright.run', ask('run')),
    commands.registerCommand('graphwright.showGraph', async (uri?: unknown, position?: unknown) => {
      if (uri !== undefined || !results.showGraph()) {
        await ask('trace')(uri, position);
      }
    }),
    commands.registerCommand('graphwright.cancelTrace', () => cancelRunning?.()),
    commands.registerCommand('graphwright.clearTraceResults', () => {
      errors.clear();
      marks.clear();
      results.clear();
      void commands.executeCommand('setContext', 'graphwright.hasResults', false);
    }),
  );
}

type Show = (job: Job, report: Report) => void;

let cancelRunning: (() => void) | undefined;

async function askAndPerform(context: Context, show: Show, place: Place, action: Action): Promise<void> {
  if (!workspace.isTrusted) {
    const message = `${WORDS[action]} a function runs your code, and this workspace isn't trusted.`;
    if ((await window.showWarningMessage(message, 'Manage Trust')) !== undefined) {
      await commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  const textDocument = { uri: place.uri.toString() };
  const interpreter = await chosenPython(context.extension.extensionPath, context.output);
  const specs = await asked(context, () =>
    context.server.request<Specs | null>('graphwright/specs', { textDocument, position: place.position, interpreter }),
  );
  if (specs === undefined) {
    return;
  }
  if (specs === null) {
    void window.showInformationMessage('Put the cursor on a function, or in its body.');
    return;
  }
  if (specs.problem && !(await tryAnyway(specs.problem))) {
    return;
  }
  const given =
    specs.parameters.length === 0
      ? ''
      : await askForArguments(context.extension.workspaceState, place.uri, specs, action);
  if (given !== undefined) {
    await perform(context, show, { ...place, function: specs.function, arguments: given, action });
  }
}

/** Says what is in the way before anything is asked; true if the user wants to try all the same. */
async function tryAnyway(problem: string): Promise<boolean> {
  const select = 'Select Interpreter';
  const anyway = 'Try Anyway';
  const answer = await window.showWarningMessage(problem, select, anyway);
  if (answer === select) {
    await selectInterpreter();
  }
  return answer === anyway;
}

async function perform(context: Context, show: Show, job: Job): Promise<void> {
  const interpreter = await chosenPython(context.extension.extensionPath, context.output);
  const progress = {
    location: ProgressLocation.Notification,
    title: `Graphwright: ${WORDS[job.action]} ${job.function}`,
    cancellable: true,
  };
  const report = await window.withProgress(progress, async (_, token) => {
    const source = new CancellationTokenSource();
    const cancelled = new Promise<undefined>((resolve) =>
      source.token.onCancellationRequested(() => resolve(undefined)),
    );
    token.onCancellationRequested(() => source.cancel());
    cancelRunning = () => source.cancel();
    void commands.executeCommand('setContext', 'graphwright.tracing', true);
    const limits = workspace.getConfiguration('graphwright.agent', job.uri);
    const params = {
      textDocument: { uri: job.uri.toString() },
      position: job.position,
      function: job.function,
      arguments: job.arguments,
      action: job.action,
      interpreter,
      timeout: limits.get<number>('timeout'),
      memory: limits.get<number>('memory'),
    };
    try {
      const answer = asked(context, () =>
        context.server.request<Report | null>('graphwright/trace', params, source.token),
      );
      return await Promise.race([answer, cancelled]);
    } finally {
      cancelRunning = undefined;
      void commands.executeCommand('setContext', 'graphwright.tracing', false);
    }
  });
  if (report) {
    show(job, report);
  }
}

/** The answer; undefined where there is none, which the user is told then: progress ends before they close that. */
async function asked<Answer>(
  context: Context,
  question: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  try {
    const answer = await question();
    if (answer === undefined) {
      void window.showWarningMessage("Graphwright's server isn't running yet. Try again in a moment.");
    }
    return answer;
  } catch (error) {
    if (isCancellation(error)) {
      return undefined;
    }
    const message = error instanceof Error ? error.message : String(error);
    context.output.error(message);
    void offerOutput(context.output, message);
    return undefined;
  }
}

async function offerOutput(output: LogOutputChannel, message: string): Promise<void> {
  if ((await window.showErrorMessage(message, 'Show Output')) !== undefined) {
    output.show();
  }
}

const REQUEST_CANCELLED = -32800;

function isCancellation(error: unknown): boolean {
  return (
    error instanceof Error && ((error as { code?: unknown }).code === REQUEST_CANCELLED || error.name === 'Canceled')
  );
}

/** The Python whose packages the code needs: the Python extension's, for the server may well run in another one. */
async function chosenPython(folder: string, output: LogOutputChannel): Promise<string | undefined> {
  const chosen = await activeEnvironment(output);
  if (chosen !== undefined) {
    return chosen;
  }
  const found = await findInterpreter(folder, output);
  return 'problem' in found || !isChosen(found) ? undefined : found.command;
}

/** Where a command is meant: where its lens or link says, else at the cursor. */
function placeOf(uri: unknown, position: unknown): Place | undefined {
  const editor = window.activeTextEditor;
  if (typeof uri === 'string' || uri instanceof Uri) {
    const there = typeof uri === 'string' ? Uri.parse(uri) : uri;
    const shown = editor?.document.uri.toString() === there.toString() ? editor.selection.active : undefined;
    return { uri: there, position: plain((position as Position | undefined) ?? shown ?? { line: 0, character: 0 }) };
  }
  return editor?.document.languageId === 'python'
    ? { uri: editor.document.uri, position: plain(editor.selection.active) }
    : undefined;
}

function plain(position: { line: number; character: number }): { line: number; character: number } {
  return { line: position.line, character: position.character };
}
