// A function converted from the keyboard: in the menu, with the reason where it can't be done, and by a command.
// The files are saved, and TensorFlow gives for each what it gave for the eager code.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const MODEL = `import tensorflow as tf


def clip_by_norm(x, limit):
    norm = tf.norm(x)
    if norm > limit:
        x = x * (limit / norm)
    return x


def reported(x: tf.Tensor):
    print("seen")
    return x


def first_above(xs, limit):
    for x in xs:
        if x > limit:
            return x
    return limit


@tf.function
def beacon(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = x
    return y


print(clip_by_norm(tf.constant([3.0, 4.0]), tf.constant(1.0)).numpy().tolist())
print(first_above(tf.constant([1.0, 5.0, 7.0]), tf.constant(4.0)).numpy())
print(first_above(tf.constant([1.0, 2.0]), tf.constant(4.0)).numpy())
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({ files: { 'model.py': MODEL, 'eager.py': MODEL } });
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();

  await workbench.goToLine(11);
  await workbench.openRefactorings();
  await workbench.page.getByText('Show Disabled').click();
  await workbench.page.locator('.action-widget .option-disabled', { hasText: 'Convert to graph' }).first().waitFor();
  await workbench.shoot('disabled');
  await workbench.page.keyboard.press('Escape');

  await workbench.goToLine(4);
  const title = await workbench.openRefactorings();
  assert.match(title, /^Convert to graph: add @tf\.function/);
  await workbench.shoot('refactorings');
  await workbench.acceptQuickFix();
  await workbench.page.locator('.view-line', { hasText: 'input_signature' }).waitFor();
  await workbench.shoot('converted');

  await workbench.goToLine(19);
  await workbench.runCommand('Graphwright: Convert to Graph with Graphwright');
  await workbench.page.locator('.view-line', { hasText: '@gw.function' }).waitFor();
  await workbench.shoot('converted-with-graphwright');

  const lines = (await workbench.save('model.py')).split('\n');
  assert.deepEqual(lines.slice(0, 5), [
    'import graphwright as gw',
    'import tensorflow as tf',
    '',
    '',
    '@tf.function(input_signature=[tf.TensorSpec([2], tf.float32), tf.TensorSpec([], tf.float32)])',
  ]);
  assert.equal(lines[lines.indexOf('@gw.function') + 1], 'def first_above(xs, limit):');
  await workbench.expectNoNotification();
  assert.deepEqual(workbench.external, [], 'nothing was asked of the network');
  runBoth(workbench);
}

function runBoth(workbench) {
  const python = process.env.GRAPHWRIGHT_E2E_PYTHON;
  assert(python, 'GRAPHWRIGHT_E2E_PYTHON names a Python with TensorFlow');
  const outputs = ['eager.py', 'model.py'].map((name) =>
    execFileSync(python, [workbench.file(name)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  assert.equal(outputs[1], outputs[0], 'TensorFlow gives the eager result');
  console.log(`TensorFlow says:\n${outputs[1]}`);
}
