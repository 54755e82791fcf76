"""The picture's colours and fonts: the editor's where it is shown in one, light or dark elsewhere."""

from __future__ import annotations

STYLE = """
.graphwright-graph {
  --g-background: var(--vscode-editor-background, #ffffff);
  --g-text: var(--vscode-editor-foreground, #1f2328);
  --g-quiet: var(--vscode-descriptionForeground, #59636e);
  --g-box: var(--vscode-editorWidget-background, #f6f8fa);
  --g-border: var(--vscode-editorWidget-border, #d1d9e0);
  --g-part: var(--vscode-editor-background, #ffffff);
  --g-edge: var(--vscode-charts-lines, #8c959f);
  --g-line: var(--vscode-charts-blue, #0969da);
  --g-loop: var(--vscode-charts-orange, #bc4c00);
  --g-branch: var(--vscode-charts-purple, #8250df);
  --g-call: var(--vscode-charts-green, #1a7f37);
  --g-focus: var(--vscode-focusBorder, #0969da);
  font-family: var(--vscode-editor-font-family, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
  background: var(--g-background);
}
@media (prefers-color-scheme: dark) {
  .graphwright-graph {
    --g-background: var(--vscode-editor-background, #1f1f1f);
    --g-text: var(--vscode-editor-foreground, #d7dde4);
    --g-quiet: var(--vscode-descriptionForeground, #9aa4af);
    --g-box: var(--vscode-editorWidget-background, #2a2d31);
    --g-border: var(--vscode-editorWidget-border, #454b52);
    --g-part: var(--vscode-editor-background, #1f1f1f);
    --g-edge: var(--vscode-charts-lines, #7d8590);
    --g-line: var(--vscode-charts-blue, #4493f8);
    --g-loop: var(--vscode-charts-orange, #e8945a);
    --g-branch: var(--vscode-charts-purple, #b392f0);
    --g-call: var(--vscode-charts-green, #57ab5a);
    --g-focus: var(--vscode-focusBorder, #4493f8);
  }
}
.graphwright-graph text { fill: var(--g-text); white-space: pre; }
.graphwright-graph .background { fill: var(--g-background); }
.graphwright-graph .heading { font-size: 13px; font-weight: 600; }
.graphwright-graph .code { font-size: 12px; }
.graphwright-graph .number { fill: var(--g-quiet); }
.graphwright-graph .small { font-size: 11px; fill: var(--g-quiet); }
.graphwright-graph .tiny { font-size: 10px; fill: var(--g-quiet); }
.graphwright-graph .halo { paint-order: stroke; stroke: var(--g-halo, var(--g-background)); stroke-width: 4px; }
.graphwright-graph .box { fill: var(--g-box); stroke: var(--g-border); }
.graphwright-graph .stack { fill: var(--g-box); stroke: var(--g-border); }
.graphwright-graph .part { fill: var(--g-part); stroke: var(--g-border); stroke-dasharray: 3 3; }
.graphwright-graph .argument rect, .graphwright-graph .result rect { fill: none; stroke: var(--g-edge); }
.graphwright-graph .argument text, .graphwright-graph .result text { fill: var(--g-text); }
.graphwright-graph .edge { fill: none; stroke: var(--g-edge); stroke-width: 1.2; }
.graphwright-graph .arrow { fill: var(--g-edge); }
.graphwright-graph .bar { fill: var(--g-line); }
.graphwright-graph .loop > .bar, .graphwright-graph .loop > .badge { fill: var(--g-loop); }
.graphwright-graph .branch > .bar, .graphwright-graph .branch > .badge { fill: var(--g-branch); }
.graphwright-graph .call > .bar, .graphwright-graph .call > .badge { fill: var(--g-call); }
.graphwright-graph .badge-text { font-size: 10px; font-weight: 600; fill: var(--g-background); }
.graphwright-graph .line { cursor: pointer; outline: none; }
.graphwright-graph .line:hover > .box { stroke: var(--g-focus); }
.graphwright-graph .line:focus-visible > .box { stroke: var(--g-focus); stroke-width: 2.5; }
"""
