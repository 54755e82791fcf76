import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standIn } from './vscodeStub.ts';

const registered = new Map<string, () => Promise<void>>();
const shown: string[] = [];
let running = 0;
let answer: string | undefined;

standIn({
  commands: {
    executeCommand: () => Promise.resolve(),
    registerCommand: (name: string, run: () => Promise<void>) => registered.set(name, run),
  },
  CancellationTokenSource: class {
    readonly token = { onCancellationRequested: () => ({}) };
  },
  extensions: { getExtension: () => undefined },
  Uri: class {},
  window: {
    activeTextEditor: {
      document: { languageId: 'python', uri: 'file:///model.py' },
      selection: { active: { line: 0, character: 0 } },
    },
    createTextEditorDecorationType: () => ({}),
    onDidChangeVisibleTextEditors: () => ({}),
    showWarningMessage: (message: string) => {
      shown.push(message);
      return Promise.resolve(answer);
    },
    showErrorMessage: (message: string) => {
      shown.push(message);
      return new Promise(() => {}); // nobody closes it
    },
    withProgress: async (_: unknown, task: (...parts: unknown[]) => Promise<unknown>) => {
      running++;
      try {
        return await task({}, { onCancellationRequested: () => ({}) });
      } finally {
        running--;
      }
    },
  },
  workspace: {
    getConfiguration: () => ({ get: () => '' }),
    isTrusted: true,
    onDidChangeTextDocument: () => ({}),
  },
});

const log = { error: () => {}, info: () => {}, warn: () => {}, debug: () => {}, trace: () => {} };

test('the progress of a trace that fails ends, though nobody closes the message', { timeout: 20_000 }, async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] }); // nobody waits for a Python extension that isn't there
  const { agent } = await import('../src/features/agent.ts');
  const request = (method: string): Promise<unknown> =>
    method === 'graphwright/specs'
      ? Promise.resolve({ function: 'step', parameters: [], arguments: '' })
      : Promise.reject(new Error('The function failed.'));
  agent({ server: { request }, output: log, extension: {} } as unknown as Parameters<typeof agent>[0]);
  await registered.get('graphwright.trace')?.();
  assert.deepEqual(shown, ['The function failed.']);
  assert.equal(running, 0);
});

test('an interpreter without TensorFlow is named before arguments are asked for', { timeout: 20_000 }, async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { agent } = await import('../src/features/agent.ts');
  const asked: string[] = [];
  const request = (method: string): Promise<unknown> => {
    asked.push(method);
    const problem = "TensorFlow isn't installed for python. Select an interpreter that has it.";
    return Promise.resolve(
      method === 'graphwright/specs' ? { function: 'step', parameters: [], arguments: '', problem } : undefined,
    );
  };
  agent({ server: { request }, output: log, extension: {} } as unknown as Parameters<typeof agent>[0]);
  shown.length = 0;
  await registered.get('graphwright.trace')?.();
  assert.deepEqual(shown, ["TensorFlow isn't installed for python. Select an interpreter that has it."]);
  assert.deepEqual(asked, ['graphwright/specs']);

  answer = 'Try Anyway';
  await registered.get('graphwright.trace')?.();
  assert.deepEqual(asked.slice(1), ['graphwright/specs', 'graphwright/trace']);
});
