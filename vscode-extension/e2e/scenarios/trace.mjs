// A function is traced, timed and run on demand: prompt, page with the picture, the way back to the line, an error.
import assert from 'node:assert/strict';
import { until, untilReads } from '../codeServer.mjs';

const MODEL = `import tensorflow as tf


@tf.function
def step(x, n):
    total = tf.zeros([3])
    for row in x:
        if tf.reduce_sum(row) > 0:
            total += row * n
        else:
            total -= row
    return tf.nn.softmax(total)


@tf.function
def broken(x):
    print("tracing", x.shape)
    return scaled(x)


def scaled(x):
    return x * SCALES[x.shape[-1]]


SCALES = {2: 0.5}


def endless():
    while True:
        pass


if __name__ == "__main__":
    step(tf.ones([4, 3]), 2)
    broken(tf.ones([4, 3]))
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const python = process.env.GRAPHWRIGHT_E2E_PYTHON;
  assert(python, 'GRAPHWRIGHT_E2E_PYTHON names a Python with TensorFlow');
  const workbench = await open({ files: { 'model.py': MODEL }, machine: { 'graphwright.interpreter': python } });
  await workbench.goTo('model.py');
  await workbench.statusIsReady();
  await workbench.page.locator('.codelens-decoration', { hasText: 'Trace' }).first().waitFor();
  const prompt = workbench.page.locator('.quick-input-widget input');

  await workbench.putCaretOn('step(x');
  await workbench.runCommand('Graphwright: Trace Function');
  await until('the prompt to be filled in', async () => (await prompt.inputValue()).includes('n=2'));
  await workbench.shoot('prompt');
  await prompt.fill('x=tf.TensorSpec([None, 3], tf.float32, n=2');
  await workbench.page.locator('.quick-input-message', { hasText: 'Missing ).' }).waitFor();
  await prompt.fill('x=tf.TensorSpec([None, 3], tf.float32), n=2');
  await workbench.page.keyboard.press('Enter');
  const page = workbench.webview();
  await page.locator('.drawing').waitFor({ timeout: 90_000 });
  await until('the result beside the function', async () => (await workbench.textsBesideCode()).includes('1 trace'));
  await untilReads(() => page.locator('h1').innerText(), /^step/);
  assert.equal(await page.locator('.traces > li').count(), 1);
  await workbench.shoot('traced');

  await page.locator('.drawing').scrollIntoViewIfNeeded();
  await workbench.shoot('picture');
  const words = () => page.locator('.drawing .code').first().evaluate(heightOnScreen);
  const before = await words();
  const window = workbench.page.viewportSize() ?? { width: 1400, height: 900 };
  await workbench.page.setViewportSize({ ...window, width: 900 });
  await until('the picture to become smaller, and its words to stay readable', async () => {
    const size = await words();
    return size < before && size >= 9;
  });
  await workbench.shoot('narrow');
  await workbench.page.setViewportSize(window);
  await until('the picture to grow again', async () => (await words()) === before);
  const line = MODEL.split('\n').findIndex((text) => text.includes('reduce_sum'));
  await page.locator(`.drawing [data-line="${line}"]`).first().focus();
  await workbench.page.keyboard.press('ArrowDown');
  await workbench.page.keyboard.press('ArrowUp');
  await workbench.shoot('focus');
  await page.locator(`.drawing [data-line="${line}"]`).first().focus();
  await workbench.page.keyboard.press('Enter');
  await workbench.caretIsOnLine(line + 1);

  await workbench.putCaretOn('step(x');
  await workbench.runCommand('Graphwright: Time Function');
  await until('what was written to be remembered', async () => (await prompt.inputValue()).includes('[None, 3]'));
  await workbench.page.keyboard.press('Enter');
  await page.locator('.bars .eager').waitFor({ timeout: 90_000 });
  await workbench.shoot('timed');

  await workbench.putCaretOn('broken(x');
  await workbench.runCommand('Graphwright: Run Function');
  await until('the prompt', () => prompt.isVisible());
  await workbench.page.keyboard.press('Enter');
  await page.locator('.failure').waitFor({ timeout: 90_000 });
  await workbench.waitForSquiggle();
  const hover = await workbench.hoverOverSquiggle('graphwright run');
  await workbench.shoot('error');
  await workbench.leaveHover(hover);

  await workbench.putCaretOn('print("tracing"');
  await workbench.page.keyboard.press('End');
  await workbench.page.keyboard.type(' ');
  await workbench.squiggles().first().waitFor({ state: 'hidden' });
  assert.doesNotMatch(await workbench.textsBesideCode(), /run failed/);
  // One that has imported TensorFlow, and what keeps it, are there all the time.
  const waiting = workbench.agents().length;
  await workbench.putCaretOn('endless()');
  await workbench.runCommand('Graphwright: Run Function');
  await workbench.notifications().filter({ hasText: 'Running endless' }).waitFor();
  await until('the code to run', () => workbench.agents().length > waiting);
  await workbench.runCommand('Graphwright: Cancel Trace');
  await until('the code to be ended', () => workbench.agents().length === waiting);
  await workbench.expectNoNotification();
  assert.deepEqual(workbench.external, [], 'nothing was asked of the network');
}

/** The size of the font of a text in a drawing, as it is on the screen. */
function heightOnScreen(text) {
  const scale = text.getScreenCTM()?.d ?? 1;
  return Number.parseFloat(getComputedStyle(text).fontSize) * scale;
}
