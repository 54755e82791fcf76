// Shows what failed when code was run on demand as diagnostics of their own, until the file is edited.
import type { TextDocumentChangeEvent } from 'vscode';
import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  Disposable,
  Location,
  languages,
  Range,
  Uri,
  workspace,
} from 'vscode';
import type { Frame, Report } from '../report';
import { uriOf } from './places';

const SOURCE = 'graphwright run';

export class RunErrors extends Disposable {
  private readonly collection = languages.createDiagnosticCollection('graphwright-run');
  /** By function: another function's error stays when this one is run again. */
  private readonly shown = new Map<string, { readonly uri: Uri; readonly diagnostic: Diagnostic }>();
  private readonly edits = workspace.onDidChangeTextDocument((event) => this.edited(event));

  constructor() {
    super(() => {
      this.edits.dispose();
      this.collection.dispose();
    });
  }

  show(report: Report): void {
    const key = `${report.file}#${report.function}`;
    this.shown.delete(key);
    const innermost = report.error?.frames.at(-1);
    if (report.error !== null && innermost !== undefined) {
      const diagnostic = new Diagnostic(
        rangeOf(innermost),
        `${report.error.type}: ${report.error.message}`,
        DiagnosticSeverity.Error,
      );
      diagnostic.source = SOURCE;
      diagnostic.relatedInformation = report.error.frames
        .slice(0, -1)
        .reverse()
        .map(
          (frame) =>
            new DiagnosticRelatedInformation(
              new Location(uriOf(frame.file), rangeOf(frame)),
              `called in ${frame.name}`,
            ),
        );
      this.shown.set(key, { uri: uriOf(innermost.file), diagnostic });
    }
    this.publish();
  }

  clear(): void {
    this.shown.clear();
    this.publish();
  }

  private edited(event: TextDocumentChangeEvent): void {
    const uri = event.document.uri.toString();
    const outdated = [...this.shown].filter(([, each]) => each.uri.toString() === uri);
    if (event.contentChanges.length > 0 && outdated.length > 0) {
      outdated.forEach(([key]) => this.shown.delete(key));
      this.publish();
    }
  }

  private publish(): void {
    const byFile = new Map<string, Diagnostic[]>();
    for (const { uri, diagnostic } of this.shown.values()) {
      byFile.set(uri.toString(), [...(byFile.get(uri.toString()) ?? []), diagnostic]);
    }
    this.collection.clear();
    byFile.forEach((diagnostics, uri) => this.collection.set(Uri.parse(uri), diagnostics));
  }
}

/** The code of a frame's line, whose columns nobody tells us: as much of it as is known to be there. */
function rangeOf(frame: Frame): Range {
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uriOf(frame.file).toString());
  const text = document !== undefined && frame.line < document.lineCount ? document.lineAt(frame.line).text : undefined;
  if (text === undefined) {
    return new Range(frame.line, 0, frame.line, Math.max(frame.text.length, 1));
  }
  const code = text.trimEnd();
  return new Range(frame.line, code.length - code.trimStart().length, frame.line, code.length);
}
