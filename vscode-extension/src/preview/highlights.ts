// Marks the lines that belong to the caret's line: the generated ones in the preview, the source's in the file.
// Which document is followed isn't decided here.
import type { Disposable, TextEditor, TextEditorDecorationType } from 'vscode';
import { OverviewRulerLane, Range, Selection, TextEditorRevealType, ThemeColor, window } from 'vscode';
import type { Content } from './content';
import { nearest } from './places';

export class Highlights implements Disposable {
  private readonly match: TextEditorDecorationType = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor('graphwright.matchingLineBackground'),
    borderColor: new ThemeColor('graphwright.matchingLineBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    overviewRulerColor: new ThemeColor('graphwright.matchingLineBorder'),
    overviewRulerLane: OverviewRulerLane.Center,
  });
  private readonly old: TextEditorDecorationType = window.createTextEditorDecorationType({ opacity: '0.55' });

  /** From the caret in the source to the preview. */
  fromSource(source: TextEditor, preview: TextEditor, content: Content, reveal: boolean): void {
    const origin = nearest(content, source.selection.active.line);
    this.mark(source, preview, content, origin);
    const first = content.lines.indexOf(origin);
    if (reveal && first >= 0) {
      preview.revealRange(line(first), TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** From the caret in the preview to the source. */
  fromPreview(preview: TextEditor, source: TextEditor, content: Content, reveal: boolean): void {
    const origin = content.lines[preview.selection.active.line] ?? -1;
    this.mark(source, preview, content, origin);
    if (reveal && origin >= 0 && origin < source.document.lineCount) {
      source.revealRange(line(origin), TextEditorRevealType.InCenterIfOutsideViewport);
      const column = source.document.lineAt(origin).firstNonWhitespaceCharacterIndex;
      source.selection = new Selection(origin, column, origin, column);
    }
  }

  clear(editors: readonly TextEditor[]): void {
    for (const editor of editors) {
      editor.setDecorations(this.match, []);
    }
  }

  dispose(): void {
    this.match.dispose();
    this.old.dispose();
  }

  private mark(source: TextEditor, preview: TextEditor, content: Content, origin: number): void {
    const generated = content.lines.flatMap((from, number) => (from === origin && origin >= 0 ? [line(number)] : []));
    preview.setDecorations(this.match, generated);
    source.setDecorations(this.match, generated.length > 0 ? [line(origin)] : []);
    preview.setDecorations(this.old, content.isOld ? [new Range(2, 0, content.lines.length, 0)] : []);
  }
}

function line(number: number): Range {
  return new Range(number, 0, number, 0);
}
