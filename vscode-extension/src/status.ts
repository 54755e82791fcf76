// Shows how the server is doing, in the language status of Python files.
// It decides nothing.
import type { DocumentSelector, LanguageStatusItem } from 'vscode';
import { LanguageStatusSeverity, languages, workspace } from 'vscode';
import type { Interpreter } from './interpreter';

/** The user's Python and TensorFlow, as the server found them without starting either. */
export interface Environment {
  readonly executable: string;
  readonly tensorflow: string | null;
  readonly words: string;
}

export type Status =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly interpreter: Interpreter; readonly environment?: Environment }
  | { readonly kind: 'restarting' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'stopped'; readonly reason: string }
  | { readonly kind: 'no-python'; readonly reason: string };

export function createStatusItem(selector: DocumentSelector): LanguageStatusItem {
  const item = languages.createLanguageStatusItem('graphwright.status', selector);
  item.name = 'Graphwright';
  return item;
}

export function show(item: LanguageStatusItem, status: Status): void {
  const { text, detail, severity } = describe(status);
  item.text = text;
  item.detail = detail;
  item.severity = severity;
  item.busy = status.kind === 'starting' || status.kind === 'restarting';
  item.command =
    status.kind === 'ready'
      ? workspace.isTrusted
        ? SHOW_OUTPUT
        : MANAGE_TRUST
      : status.kind === 'no-python'
        ? OPEN_SETTING
        : RESTART;
}

/** What was found, and what can't be done with it, in few words: VS Code shows one line and cuts it. */
function found(interpreter: Interpreter, environment: Environment | undefined): string {
  const { version, command, origin } = interpreter;
  const parts = [environment?.words ?? `Python ${version}, ${command}, from ${origin}`];
  if (!workspace.isTrusted) {
    parts.push('not trusted: code is checked, never run');
  }
  if (workspace.workspaceFolders === undefined) {
    parts.push('no folder is open');
  }
  return parts.join('; ');
}

const SHOW_OUTPUT = { command: 'graphwright.showOutput', title: 'Show Output' };
const RESTART = { command: 'graphwright.restartServer', title: 'Restart' };
const MANAGE_TRUST = { command: 'workbench.trust.manage', title: 'Manage Trust' };
const OPEN_SETTING = {
  command: 'workbench.action.openSettings',
  title: 'Choose a Python',
  arguments: ['graphwright.interpreter'],
};

function describe(status: Status): { text: string; detail: string; severity: LanguageStatusSeverity } {
  const { Information, Warning, Error: Failure } = LanguageStatusSeverity;
  switch (status.kind) {
    case 'starting':
      return { text: 'Graphwright', detail: 'Starting', severity: Information };
    case 'restarting':
      return { text: 'Graphwright', detail: 'Restarting after a crash', severity: Warning };
    case 'ready': {
      return { text: 'Graphwright', detail: found(status.interpreter, status.environment), severity: Information };
    }
    case 'disabled':
      return { text: 'Graphwright: off', detail: 'graphwright.enable is false', severity: Information };
    case 'stopped':
      return { text: 'Graphwright: stopped', detail: status.reason, severity: Failure };
    case 'no-python':
      return { text: 'Graphwright: no Python', detail: status.reason, severity: Failure };
  }
}
