// Shows graph code beside its source: a document that follows the caret and the edits, and a diff view.
// What the code is, the server says.
import type { TextDocument, TextEditor } from 'vscode';
import {
  commands,
  Disposable,
  EventEmitter,
  languages,
  Position,
  TabInputText,
  TabInputTextDiff,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { Context } from '../extension';
import type { Style } from '../preview/content';
import { Follower } from '../preview/follower';
import { Highlights } from '../preview/highlights';
import { SELECTOR } from '../session';

const SCHEME = 'graphwright-preview';
const PREVIEW = Uri.from({ scheme: SCHEME, path: '/Graph Code.py' });
const SOURCE_SIDE = Uri.from({ scheme: SCHEME, path: '/source/Function.py' });
const GENERATED_SIDE = Uri.from({ scheme: SCHEME, path: '/generated/Function.py' });

export function preview({ output, server }: Context): Disposable {
  const follower = new Follower(server, output, configuredStyle());
  const highlights = new Highlights();
  const texts = new EventEmitter<Uri>();

  const refresh = (): void => {
    for (const uri of [PREVIEW, SOURCE_SIDE, GENERATED_SIDE]) {
      texts.fire(uri);
    }
  };
  const lock = (locked: boolean): void => {
    follower.isLocked = locked;
    void commands.executeCommand('setContext', 'graphwright.preview.locked', locked);
    follow(window.activeTextEditor);
  };
  const follow = (editor: TextEditor | undefined): void => {
    if (editor !== undefined && isSource(editor.document) && isOpen()) {
      follower.moveTo(editor.document, editor.selection.active);
    }
  };
  const mark = (editor: TextEditor | undefined, reveal: boolean): void => {
    const shown = window.visibleTextEditors.find((other) => isPreview(other.document));
    const source = window.visibleTextEditors.find((other) => other.document === follower.source);
    if (shown === undefined || source === undefined) {
      highlights.clear(window.visibleTextEditors);
    } else if (editor === shown) {
      highlights.fromPreview(shown, source, follower.content, reveal);
    } else {
      highlights.fromSource(source, shown, follower.content, reveal);
    }
  };
  const showPreview = async (uri?: unknown, position?: unknown): Promise<void> => {
    const place = await placeOf(uri, position);
    if (place === undefined) {
      void window.showInformationMessage('Open a Python file and put the cursor in a function to see its graph code.');
      return;
    }
    follower.moveTo(place.document, place.position, true);
    const document = await workspace.openTextDocument(PREVIEW);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: false });
    refresh(); // what came while the document was being opened has reached nobody
  };

  follow(window.activeTextEditor);
  return Disposable.from(
    follower,
    highlights,
    texts,
    workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: texts.event,
      provideTextDocumentContent: (uri) => textOf(uri, follower),
    }),
    follower.onDidChange(refresh),
    server.onReady(() => follower.ask(0)),
    commands.registerCommand('graphwright.showPreview', showPreview),
    commands.registerCommand('graphwright.showDiff', () => showDiff(follower).then(refresh)),
    commands.registerCommand('graphwright.toggleStyle', () => {
      follower.style = follower.style === 'graphwright' ? 'tensorflow' : 'graphwright';
      return isOpen() ? undefined : showPreview();
    }),
    commands.registerCommand('graphwright.lockPreview', () => lock(true)),
    commands.registerCommand('graphwright.unlockPreview', () => lock(false)),
    window.onDidChangeActiveTextEditor((editor) => {
      follow(editor);
      mark(editor, false);
    }),
    window.onDidChangeVisibleTextEditors(() => mark(window.activeTextEditor, false)),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === window.activeTextEditor) {
        follow(textEditor);
        mark(textEditor, true);
      }
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document === follower.source && contentChanges.length > 0 && isOpen()) {
        follower.edited(contentChanges);
      } else if (isPreview(document)) {
        mark(undefined, false);
      }
    }),
    workspace.onDidCloseTextDocument((document) => {
      if (document === follower.source) {
        lock(false);
        follower.closed();
      }
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('graphwright.preview.style')) {
        follower.style = configuredStyle();
      }
    }),
  );
}

/** The function's source on the left, its graph code on the right, both following the edits. */
async function showDiff(follower: Follower): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor !== undefined && isSource(editor.document)) {
    follower.moveTo(editor.document, editor.selection.active, true);
    await changed(follower);
  }
  if (follower.code === undefined) {
    void window.showInformationMessage('No graph code to compare. Put the cursor in a function.');
    return;
  }
  const title = `${follower.code.function}: Source ↔ Graph Code`;
  await commands.executeCommand('vscode.diff', SOURCE_SIDE, GENERATED_SIDE, title);
}

/** Waits until the follower has something else to show, or long enough. */
function changed(follower: Follower): Promise<void> {
  return new Promise((resolve) => {
    const listening = follower.onDidChange(() => {
      listening.dispose();
      resolve();
    });
    setTimeout(resolve, 3_000);
  });
}

function textOf(uri: Uri, follower: Follower): string {
  if (uri.path === GENERATED_SIDE.path) {
    return follower.code?.text ?? '';
  }
  return uri.path === SOURCE_SIDE.path ? sourceOf(follower) : follower.content.text;
}

/** The function as it is written, moved to the left margin as its graph code is. */
function sourceOf(follower: Follower): string {
  const { source, code } = follower;
  if (source === undefined || code === undefined) {
    return '';
  }
  const lines: string[] = [];
  for (let line = code.range.start.line; line <= Math.min(code.range.end.line, source.lineCount - 1); line++) {
    lines.push(source.lineAt(line).text);
  }
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0] ?? '';
  return `${lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n')}\n`;
}

async function placeOf(
  uri: unknown,
  position: unknown,
): Promise<{ document: TextDocument; position: Position } | undefined> {
  if (typeof uri === 'string') {
    const { line = 0, character = 0 } = (position ?? {}) as { line?: number; character?: number };
    return { document: await workspace.openTextDocument(Uri.parse(uri)), position: new Position(line, character) };
  }
  const editors = [window.activeTextEditor, ...window.visibleTextEditors];
  const editor = editors.find((found) => found !== undefined && isSource(found.document));
  return editor && { document: editor.document, position: editor.selection.active };
}

function isSource(document: TextDocument): boolean {
  return languages.match(SELECTOR, document) > 0;
}

function isPreview(document: TextDocument): boolean {
  return document.uri.toString() === PREVIEW.toString();
}

/** Whether any tab shows what is followed. */
function isOpen(): boolean {
  return window.tabGroups.all.some((group) =>
    group.tabs.some(
      ({ input }) =>
        (input instanceof TabInputText && input.uri.scheme === SCHEME) ||
        (input instanceof TabInputTextDiff && input.modified.scheme === SCHEME),
    ),
  );
}

function configuredStyle(): Style {
  const style = workspace.getConfiguration('graphwright').get<string>('preview.style');
  return style === 'tensorflow' ? 'tensorflow' : 'graphwright';
}
