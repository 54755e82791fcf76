// A finding allowed from the keyboard: on its line, then another one in the project; the squiggles go.
import assert from 'node:assert/strict';
import { until } from '../codeServer.mjs';

const MODEL = `import tensorflow as tf


@tf.function
def first(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = x
    return y


@tf.function
def second(x: tf.Tensor):
    out = []
    for i in tf.range(x):
        out.append(i)
    return out
`;
const PROJECT = `[project]
name = "model"
version = "1"
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({ files: { 'model.py': MODEL, 'pyproject.toml': PROJECT } });
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();
  await until('both squiggles', async () => (await workbench.squiggles().count()) === 2);
  await workbench.putCaretOnSquiggle();
  await workbench.chooseQuickFix('on this line');
  await until('one squiggle to go', async () => (await workbench.squiggles().count()) === 1);
  await workbench.shoot('on-this-line');

  await workbench.putCaretOnSquiggle();
  await workbench.chooseQuickFix('in this project', 'menu');
  const written = /\[tool\.graphwright\]\nignore = \["list-append-in-graph-control-flow"\]/;
  await until('the settings to be written', () => written.test(workbench.read('pyproject.toml')));
  await until('the last squiggle to go', async () => (await workbench.squiggles().count()) === 0);
  await workbench.shoot('in-this-project');

  assert.match(await workbench.save('model.py'), / {2}# graphwright: allow\[undefined-in-branch\]/);
  await workbench.expectNoNotification();
}
