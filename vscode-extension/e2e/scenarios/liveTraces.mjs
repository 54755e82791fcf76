// A program tells of its traces while it runs in a terminal; the editor shows them beside the code, until it is edited.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { until, untilReads } from '../codeServer.mjs';

const MODEL = `import graphwright as gw
import tensorflow as tf


@gw.function
def step(x, n):
    if tf.reduce_sum(x) > 0:
        return x * n
    return -x


def train(epochs):
    for epoch in range(epochs):
        for _ in range(4):
            step(tf.constant([1.0, 2.0]), epoch)


if __name__ == "__main__":
    train(3)
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const python = process.env.GRAPHWRIGHT_E2E_PYTHON;
  assert(python, 'GRAPHWRIGHT_E2E_PYTHON names a Python with TensorFlow and Graphwright');
  const workbench = await open({ files: { 'model.py': MODEL, 'pyproject.toml': '' } });
  await workbench.goTo('model.py');
  await workbench.statusIsReady();
  const environment = { ...process.env, GRAPHWRIGHT_TRACES: '1', TF_CPP_MIN_LOG_LEVEL: '3', PYTHONWARNINGS: 'ignore' };
  const ran = spawnSync(python, ['model.py'], { cwd: workbench.file('.'), env: environment, encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);

  await workbench.page.locator('.view-line', { hasText: '3 traces (2 avoidable), last run' }).waitFor();
  const lens = workbench.page.locator('.codelens-decoration', { hasText: '12 calls' });
  await lens.waitFor();
  await untilReads(() => lens.innerText(), /3 traces \(2 avoidable\).*12 calls.*each \(last run\)/);
  await workbench.hoverOver('step', 'Last run');
  await workbench.shoot('last-run');

  await workbench.leaveHover(workbench.page.locator('.monaco-hover:visible').first());
  await workbench.page.locator('.view-line', { hasText: 'return -x' }).click();
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.type(' * 2');
  await workbench.page.locator('.codelens-decoration', { hasText: 'before your edits' }).waitFor();
  await workbench.shoot('edited');

  await workbench.runCommand('Graphwright: Clear Live Traces');
  await until('the lens to go', async () => (await lens.count()) === 0);
  await workbench.expectNoNotification();
}
