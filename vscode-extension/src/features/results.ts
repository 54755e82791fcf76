// The panel that shows what came of a trace, a timing or a run: the words, the numbers and the picture of the graph.
// The page itself is src/webview/results.ts; here are its surroundings and what it may ask for.
import { randomBytes } from 'node:crypto';
import type { Webview, WebviewPanel } from 'vscode';
import { commands, Disposable, Uri, ViewColumn, window, workspace } from 'vscode';
import { selectInterpreter } from '../pythonExtension';
import type { Action, Report, Shown, Wish } from '../report';
import type { Job } from './agent';
import { fileOf, reveal, uriOf } from './places';

export class Results extends Disposable {
  private panel: WebviewPanel | undefined;
  private job: Job | undefined;
  private shown: Shown | undefined;

  constructor(
    private readonly extension: Uri,
    private readonly again: (job: Job, action: Action) => void,
  ) {
    super(() => this.panel?.dispose());
  }

  show(job: Job, report: Report): void {
    this.job = job;
    this.shown = { report, arguments: job.arguments };
    this.panel ??= this.open();
    const panel = this.panel;
    panel.title = `Graphwright: ${report.function}`;
    panel.reveal(undefined, true);
    void panel.webview.postMessage(this.shown);
  }

  /** Brings the panel to the front with a graph in it: what was timed or run is traced. False if there is no panel. */
  showGraph(): boolean {
    if (this.panel === undefined) {
      return false;
    }
    if (this.job !== undefined && this.shown?.report.ok && this.shown.report.svg === '') {
      this.again(this.job, 'trace');
    } else {
      this.panel.reveal(undefined, false);
    }
    return true;
  }

  clear(): void {
    this.panel?.dispose();
  }

  private open(): WebviewPanel {
    const panel = window.createWebviewPanel(
      'graphwright.results',
      'Graphwright',
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      {
        enableScripts: true,
        retainContextWhenHidden: true,
        enableFindWidget: true,
        localResourceRoots: [Uri.joinPath(this.extension, 'out'), Uri.joinPath(this.extension, 'media')],
      },
    );
    panel.iconPath = Uri.joinPath(this.extension, 'media', 'icon.png');
    panel.webview.onDidReceiveMessage((wish: Wish) => void this.fulfil(wish));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
      void commands.executeCommand('setContext', 'graphwright.hasResults', false);
    });
    panel.webview.html = page(panel.webview, this.extension);
    return panel;
  }

  private async fulfil(wish: Wish): Promise<void> {
    switch (wish.kind) {
      case 'ready':
        await this.panel?.webview.postMessage(this.shown);
        break;
      case 'reveal':
        await reveal(wish.file, wish.line);
        break;
      case 'again':
        if (this.job !== undefined) {
          this.again(this.job, wish.action);
        }
        break;
      case 'choosePython':
        await selectInterpreter();
        break;
      case 'save':
        await this.save();
        break;
    }
  }

  private async save(): Promise<void> {
    if (this.shown === undefined) {
      return;
    }
    const { file, function: name, svg } = this.shown.report;
    const proposed = Uri.joinPath(fileOf(uriOf(file)), '..', `${name.replaceAll(/\W+/g, '_')}.svg`);
    const target = await window.showSaveDialog({ defaultUri: proposed, filters: { 'SVG pictures': ['svg'] } });
    if (target !== undefined) {
      await workspace.fs.writeFile(target, Buffer.from(svg, 'utf8'));
    }
  }
}

function page(webview: Webview, extension: Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const script = webview.asWebviewUri(Uri.joinPath(extension, 'out', 'results.js'));
  const style = webview.asWebviewUri(Uri.joinPath(extension, 'media', 'results.css'));
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" nonce="${nonce}" href="${String(style)}">
<title>Graphwright</title>
</head>
<body>
<main id="results"></main>
<script nonce="${nonce}" src="${String(script)}"></script>
</body>
</html>`;
}
