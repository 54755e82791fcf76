// Shows how the server is doing, in the language status of Python files.
// It decides nothing.
import type { DocumentSelector, LanguageStatusItem } from 'vscode';
import { LanguageStatusSeverity, languages } from 'vscode';
import type { Interpreter } from './interpreter';

export type Status =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly interpreter: Interpreter }
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
  item.command = status.kind === 'ready' ? SHOW_OUTPUT : status.kind === 'no-python' ? OPEN_SETTING : RESTART;
}

const SHOW_OUTPUT = { command: 'graphwright.showOutput', title: 'Show Output' };
const RESTART = { command: 'graphwright.restartServer', title: 'Restart' };
const OPEN_SETTING = {
  command: 'workbench.action.openSettings',
  title: 'Choose a Python',
  arguments: ['graphwright.interpreter'],
};

function describe(status: Status): { text: string; detail: string; severity: LanguageStatusSeverity } {
  const { Information, Warning, Error } = LanguageStatusSeverity;
  switch (status.kind) {
    case 'starting':
      return { text: 'Graphwright', detail: 'Starting', severity: Information };
    case 'restarting':
      return { text: 'Graphwright', detail: 'Restarting after a crash', severity: Warning };
    case 'ready': {
      const { version, command, origin } = status.interpreter;
      return { text: 'Graphwright', detail: `Python ${version}, ${command}, from ${origin}`, severity: Information };
    }
    case 'disabled':
      return { text: 'Graphwright: off', detail: 'graphwright.enable is false', severity: Information };
    case 'stopped':
      return { text: 'Graphwright: stopped', detail: status.reason, severity: Error };
    case 'no-python':
      return { text: 'Graphwright: no Python', detail: status.reason, severity: Error };
  }
}
