"""The page's style: light or dark by the system, readable at the width of a phone."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f6f8fa; --card: #ffffff; --text: #1f2328; --quiet: #59636e; --border: #d1d9e0; --soft: #eff2f5;
  --accent: #0969da; --warn: #9a6700; --warn-soft: #fff8c5; --good: #1a7f37; --bad: #cf222e; --bad-soft: #ffebe9;
  --keyword: #cf222e; --string: #0a3069; --number: #0550ae; --comment: #59636e; --name: #8250df;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --card: #161b22; --text: #e6edf3; --quiet: #9198a1; --border: #30363d; --soft: #21262d;
    --accent: #4493f8; --warn: #d29922; --warn-soft: #35290f; --good: #3fb950; --bad: #f85149; --bad-soft: #3c1618;
    --keyword: #ff7b72; --string: #a5d6ff; --number: #79c0ff; --comment: #9198a1; --name: #d2a8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
header h1 { font-size: 24px; margin: 0 0 4px; overflow-wrap: anywhere; }
header p { margin: 0; color: var(--quiet); }
code, pre, .mono { font-family: var(--mono); font-size: 13px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
section, nav { background: var(--card); border: 1px solid var(--border); border-radius: 10px;
  padding: 20px 22px; margin-top: 20px; min-width: 0; }
h2 { font-size: 18px; margin: 0 0 10px; overflow-wrap: anywhere; }
h2 code { font-size: inherit; }
h2 + .place { margin-top: -8px; }
h3 { font-size: 13px; margin: 22px 0 8px; color: var(--quiet); font-weight: 600; }
.place { color: var(--quiet); font-family: var(--mono); font-size: 12.5px; overflow-wrap: anywhere; margin: 0; }
.figures { display: flex; flex-wrap: wrap; gap: 10px 32px; margin: 16px 0 0; padding: 0; }
.figures div { min-width: 84px; }
.figures dt { color: var(--quiet); font-size: 12.5px; }
.figures dd { margin: 0; font-size: 21px; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures .warn dd { color: var(--warn); }
nav table, .counts { border-collapse: collapse; width: 100%; }
nav th { text-align: left; font-weight: 600; font-size: 12.5px; color: var(--quiet); }
nav td, nav th { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--border); overflow-wrap: anywhere; }
nav tr:last-child td { border-bottom: 0; }
nav .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0; width: 84px; }
.scroll { overflow-x: auto; border: 1px solid var(--border); border-radius: 8px; background: var(--card); }
.source { border-collapse: collapse; min-width: 100%; font-family: var(--mono); font-size: 13px; line-height: 1.6; }
.source td { padding: 0 10px; white-space: pre; vertical-align: top; }
.source .at { text-align: right; color: var(--quiet); user-select: none; width: 1%; }
.source .made { color: var(--quiet); padding-left: 28px; font-size: 12px; }
.source tr.graph .at { box-shadow: inset 3px 0 var(--accent); }
.source tr.called { background: var(--warn-soft); }
.source tr.called .made { color: var(--warn); }
.keyword { color: var(--keyword); } .string { color: var(--string); } .number { color: var(--number); }
.comment { color: var(--comment); font-style: italic; } .name { color: var(--name); }
.badge { font: 600 11px var(--mono); border-radius: 99px; padding: 1px 8px; background: var(--soft);
  color: var(--quiet); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.traces { list-style: none; margin: 0; padding: 0; }
.traces li { border-left: 3px solid var(--border); padding: 2px 0 2px 14px; margin: 0 0 16px; min-width: 0; }
.traces li.avoidable { border-color: var(--warn); }
.traces p { margin: 4px 0 0; overflow-wrap: anywhere; }
.traces .head { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: baseline; }
.traces .signature { font-family: var(--mono); font-size: 13px; overflow-wrap: anywhere; }
.signature mark { background: var(--warn-soft); color: var(--warn); border-radius: 3px; padding: 0 3px; }
.signature del { background: var(--bad-soft); color: var(--bad); border-radius: 3px; padding: 0 3px; }
.remedy { color: var(--quiet); }
.remedy::before { content: "\\2192\\00a0"; color: var(--good); }
.quiet { color: var(--quiet); font-size: 13px; }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: 6px 12px; align-items: center;
  font-size: 13px; }
.bars .bar { height: 9px; border-radius: 5px; background: var(--soft); overflow: hidden; }
.bars .bar i { display: block; height: 100%; background: var(--accent); border-radius: 5px; min-width: 2px; }
.bars .value { text-align: right; font-variant-numeric: tabular-nums; }
.graph-picture { text-align: center;
  --vscode-editor-background: var(--card); --vscode-editorWidget-background: var(--soft);
  --vscode-editorWidget-border: var(--border); --vscode-descriptionForeground: var(--quiet);
  --vscode-editor-foreground: var(--text); --vscode-editor-font-family: var(--mono); }
.graph-picture svg { display: inline-block; vertical-align: top; }
.error { border-color: var(--bad); }
.error pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 8px 0 0; }
summary { cursor: pointer; }
footer { margin-top: 28px; color: var(--quiet); font-size: 12.5px; }
@media (max-width: 600px) {
  main { padding: 18px 10px 40px; }
  section, nav { padding: 16px 14px; }
  .source { font-size: 12px; }
  .figures dd { font-size: 18px; }
}
@media print { body { background: none; } section { break-inside: avoid; } }
"""
