import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './vscodeStub.ts';

const revealed: unknown[] = [];
const panel = {
  reveal: (...how: unknown[]) => revealed.push(how),
  webview: { onDidReceiveMessage: () => ({}), postMessage: () => Promise.resolve(true), asWebviewUri: () => '' },
  onDidDispose: () => ({}),
};

standIn({
  commands: { executeCommand: () => Promise.resolve() },
  Disposable: class {},
  extensions: { getExtension: () => undefined },
  Uri: { joinPath: () => ({}) },
  ViewColumn: { Beside: -2 },
  window: { createWebviewPanel: () => panel },
  workspace: {},
});

const REPORT = { ok: true, function: 'step', file: '/model.py', action: 'time', svg: '' };

test('the graph of what was timed is shown by tracing it', async () => {
  const { Results } = await import('../src/features/results.ts');
  const asked: string[] = [];
  const results = new Results({} as never, (_, action) => asked.push(action));
  assert.equal(results.showGraph(), false);
  results.show({ function: 'step' } as never, REPORT as never);
  revealed.length = 0;
  assert.equal(results.showGraph(), true);
  assert.deepEqual([asked, revealed], [['trace'], []]);
  results.show({ function: 'step' } as never, { ...REPORT, action: 'trace', svg: '<svg/>' } as never);
  results.showGraph();
  results.show({ function: 'step' } as never, { ...REPORT, ok: false } as never);
  results.showGraph();
  assert.deepEqual(asked, ['trace']);
  assert.deepEqual(revealed.slice(-1), [[undefined, false]]);
});
