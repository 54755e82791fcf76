// A function of a notebook's cell is traced and run: the lens, the prompt, the picture, the way back, an error in its cell.
import assert from 'node:assert/strict';
import { until, untilReads } from '../codeServer.mjs';

const LOAD_MILLISECONDS = 90_000;
const FACTORS = `factors = {3: 2.0}
def factor_of(x):
    return factors[x.shape[-1]]`;
const SCALED = `@tf.function
def scaled(x):
    if tf.reduce_sum(x) > 0.0:
        x = x * factor_of(x)
    return x`;
const AFTER = "raise AssertionError('cells below are not run')";

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const python = process.env.GRAPHWRIGHT_E2E_PYTHON;
  assert(python, 'GRAPHWRIGHT_E2E_PYTHON names a Python with TensorFlow');
  const workbench = await open({
    files: { 'model.ipynb': notebook() },
    settings: { 'workbench.editorAssociations': { '*.ipynb': 'jupyter-notebook' } },
    machine: { 'graphwright.interpreter': python },
  });
  const { page } = workbench;
  await workbench.goTo('model.ipynb');
  const lens = page.locator('.notebook-editor .codelens-decoration a', { hasText: 'Trace' }).first();
  await lens.waitFor({ timeout: LOAD_MILLISECONDS });
  await workbench.shoot('lens');
  await lens.click();
  const prompt = page.locator('.quick-input-widget input');
  await until('the prompt to be open', () => prompt.isVisible());
  await prompt.fill('x=tf.TensorSpec([None, 3], tf.float32)');
  await page.keyboard.press('Enter');
  // The notebook has a page of its own for what its cells put out.
  const frames = page.locator('iframe.webview.ready');
  /** The page of the results: VS Code changes the order of its frames. */
  const frameWith = async (selector) => {
    let found;
    await until(
      `${selector} in the results`,
      async () => {
        for (const frame of await frames.all()) {
          const inner = frame.contentFrame().locator('#active-frame').contentFrame();
          if ((await inner.locator(selector).count()) > 0) {
            found = inner;
          }
        }
        return found !== undefined;
      },
      LOAD_MILLISECONDS,
    );
    return found;
  };
  await until('the page of the results', async () => (await frames.count()) === 2);
  const results = await frameWith('.drawing');
  await untilReads(() => results.locator('h1').innerText(), /^scaled/);
  await workbench.shoot('traced');

  // The lines of the picture are those of the cell, and lead there.
  await results.locator('.drawing [data-line="3"]').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !!document.activeElement?.closest('.notebook-editor .monaco-editor'));
  await workbench.shoot('line');

  await workbench.runCommand('Graphwright: Run Function');
  await until('the prompt to be open', () => prompt.isVisible());
  await prompt.fill('x=tf.ones([2, 7])');
  await page.keyboard.press('Enter');
  await frameWith('.failure');
  await page.locator('.notebook-editor .squiggly-error').first().waitFor();
  await workbench.shoot('error');
  await workbench.expectNoNotification();
}

function notebook() {
  const code = (source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null });
  const cells = [code('%matplotlib inline\nimport tensorflow as tf'), code(FACTORS), code(SCALED), code(AFTER)];
  const metadata = { language_info: { name: 'python' } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}
