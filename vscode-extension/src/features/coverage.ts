// What of the file's traced functions is followed: a line in the language status, and a list that leads to what isn't.
// What is followed the server knows.
import type { QuickPickItem, TextEditor } from 'vscode';
import {
  commands,
  Disposable,
  LanguageStatusSeverity,
  languages,
  Range,
  Selection,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Context } from '../extension';
import { SELECTOR } from '../session';

const METHOD = 'graphwright/coverage';
/** How long nothing is typed before the line is made again. */
const PAUSE_MILLISECONDS = 1_000;

interface Reason {
  readonly range: Range;
  readonly why: string;
  /** Python never runs it, as far as is known: nothing is missed there. */
  readonly decided: boolean;
}

interface FunctionCoverage {
  readonly name: string;
  readonly status: string;
  readonly range: Range;
  readonly reasons: readonly Reason[];
}

/** What the analysis analyzed only in part: it takes too many steps. */
interface Cut {
  readonly name: string;
  readonly range: Range;
  readonly why: string;
}

interface Coverage {
  readonly functions: readonly FunctionCoverage[];
  readonly cut: readonly Cut[];
  readonly words: string;
}

export function coverage({ server }: Context): Disposable {
  const item = languages.createLanguageStatusItem('graphwright.coverage', SELECTOR);
  item.name = 'Graphwright Coverage';
  item.command = { command: 'graphwright.showCoverage', title: 'Show' };
  let timer: NodeJS.Timeout | undefined;

  const ask = async (editor: TextEditor): Promise<Coverage | undefined> => {
    const textDocument = { uri: editor.document.uri.toString() };
    return (await server.request<Coverage | null>(METHOD, { textDocument }).catch(() => undefined)) ?? undefined;
  };
  const tell = async (editor: TextEditor | undefined): Promise<void> => {
    if (editor === undefined || languages.match(SELECTOR, editor.document) === 0) {
      return;
    }
    const found = await ask(editor);
    if (editor !== window.activeTextEditor) {
      return;
    }
    const [text = '', ...details] = found?.words.split('; ') ?? [];
    item.text = text || 'No function here is traced';
    item.detail = details.join('; ');
    item.severity = LanguageStatusSeverity.Information;
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void tell(window.activeTextEditor), PAUSE_MILLISECONDS);
  };
  later();
  return Disposable.from(
    item,
    { dispose: () => clearTimeout(timer) },
    server.onReady(later),
    window.onDidChangeActiveTextEditor(later),
    workspace.onDidChangeTextDocument((event) => {
      if (event.document === window.activeTextEditor?.document) {
        later();
      }
    }),
    commands.registerCommand('graphwright.showCoverage', async () => {
      const editor = window.activeTextEditor;
      const found = editor && (await ask(editor));
      if (editor !== undefined && found !== undefined) {
        await choose(editor, found);
      }
    }),
    commands.registerCommand('graphwright.goTo', goTo),
  );
}

interface Item extends QuickPickItem {
  readonly range: Range;
}

/** Lists what isn't followed, what may be missed first, and goes where one chooses. */
async function choose(editor: TextEditor, { functions, cut, words }: Coverage): Promise<void> {
  const inPart = cut.map(({ name, range, why }): Item => {
    const description = `line ${range.start.line + 1}`;
    return { label: `$(eye-closed) ${name}`, description, detail: why, range };
  });
  const missed = functions
    .flatMap((each) => each.reasons.map((reason) => ({ each, reason })))
    .sort((one, other) => Number(one.reason.decided) - Number(other.reason.decided))
    .map(({ each, reason }): Item => {
      const line = reason.range.start.line + 1;
      const icon = reason.decided ? '$(circle-outline)' : '$(eye-closed)';
      return { label: `${icon} ${each.name}`, description: `line ${line}`, detail: reason.why, range: reason.range };
    });
  const items = [...inPart, ...missed];
  if (items.length === 0) {
    window.setStatusBarMessage(`Graphwright: ${words || 'no function here is traced'}`, 5_000);
    return;
  }
  const chosen = await window.showQuickPick(items, {
    title: words,
    placeHolder: 'Code that the analysis cannot follow',
  });
  if (chosen !== undefined) {
    const { start, end } = chosen.range;
    show(editor, new Range(start.line, start.character, end.line, end.character));
  }
}

/** The command of a lens: to a place in a document. */
async function goTo(uri: string, position: { line: number; character: number }): Promise<void> {
  const editor = await window.showTextDocument(Uri.parse(uri));
  show(editor, new Range(position.line, position.character, position.line, position.character));
}

function show(editor: TextEditor, range: Range): void {
  editor.selection = new Selection(range.start, range.start);
  editor.revealRange(range);
}
