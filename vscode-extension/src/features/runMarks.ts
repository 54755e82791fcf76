// Says beside a function what its last trace, timing or run came to, until its file is edited.
import { Disposable, MarkdownString, Range, ThemeColor, window, workspace } from 'vscode';
import type { Report } from '../report';
import { counted, duration, graphSize } from '../report';
import type { Job } from './agent';

interface Mark {
  readonly uri: string;
  readonly line: number;
  readonly text: string;
}

export class RunMarks extends Disposable {
  private readonly marks = new Map<string, Mark>();
  private readonly type = window.createTextEditorDecorationType({
    after: { margin: '0 0 0 2em', color: new ThemeColor('editorCodeLens.foreground'), fontStyle: 'italic' },
    isWholeLine: true,
  });
  private readonly subscriptions = Disposable.from(
    this.type,
    window.onDidChangeVisibleTextEditors(() => this.draw()),
    workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length > 0) {
        this.forget(event.document.uri.toString());
      }
    }),
  );

  constructor() {
    super(() => this.subscriptions.dispose());
  }

  show(job: Job, report: Report): void {
    const uri = job.uri.toString();
    this.marks.set(`${uri}#${report.function}`, { uri, line: definitionLine(job, report), text: summary(report) });
    this.draw();
  }

  clear(): void {
    this.marks.clear();
    this.draw();
  }

  private forget(uri: string): void {
    const outdated = [...this.marks].filter(([, mark]) => mark.uri === uri);
    if (outdated.length > 0) {
      outdated.forEach(([key]) => this.marks.delete(key));
      this.draw();
    }
  }

  private draw(): void {
    for (const editor of window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const here = [...this.marks.values()].filter((mark) => mark.uri === uri && mark.line < editor.document.lineCount);
      editor.setDecorations(
        this.type,
        here.map((mark) => decoration(mark)),
      );
    }
  }
}

/** The line of the function's `def`: the nearest one of its name above where it was asked for. */
function definitionLine(job: Job, report: Report): number {
  const document = workspace.textDocuments.find((each) => each.uri.toString() === job.uri.toString());
  const name = report.function.split('.').at(-1) ?? '';
  const traced = report.traces.find((trace) => trace.line !== null)?.line ?? job.position.line;
  const start = Math.min(Math.max(job.position.line, traced), (document?.lineCount ?? 1) - 1);
  for (let line = start; document !== undefined && line >= 0; line--) {
    if (document.lineAt(line).text.match(/^\s*def\s+(\w+)/)?.[1] === name) {
      return line;
    }
  }
  return job.position.line;
}

function decoration(mark: Mark): { range: Range; renderOptions: object; hoverMessage: MarkdownString } {
  const link = `command:graphwright.showGraph?${encodeURIComponent(JSON.stringify([]))}`;
  const hoverMessage = new MarkdownString(`Graphwright: ${mark.text}\n\n[Show the results](${link})`);
  hoverMessage.isTrusted = { enabledCommands: ['graphwright.showGraph'] };
  return {
    range: new Range(mark.line, 0, mark.line, Number.MAX_SAFE_INTEGER),
    renderOptions: { after: { contentText: mark.text } },
    hoverMessage,
  };
}

function summary(report: Report): string {
  if (report.error !== null) {
    return `${report.action} failed: ${report.error.type}`;
  }
  const seconds = report.traces.reduce((sum, trace) => sum + trace.seconds, 0);
  const parts = report.traces.length > 0 ? [counted(report.traces.length, 'trace'), duration(seconds)] : [];
  if (report.graph !== null) {
    parts.push(graphSize(report.graph));
  }
  if (report.times !== null && report.times.graph.length > 0) {
    parts.push(`${duration(median(report.times.graph))} a call`);
  }
  return parts.join(' · ') || `${report.action}: done`;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
