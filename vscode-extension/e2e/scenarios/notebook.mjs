// A squiggle in a cell that an earlier cell causes, the hover, the fix in the cell, and the earlier cell edited.
import assert from 'node:assert/strict';
import { until } from '../codeServer.mjs';

const LOAD_MILLISECONDS = 90_000;
const SCALE = `def half(x):
    return tf.cast(x, tf.float16)`;
const USER = `@tf.function
def scaled(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = half(x)
    else:
        y = tf.zeros_like(x)
    return y

scaled(tf.constant([1.0, 2.0]))`;
const CLIP = `@tf.function
def clip(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        z = tf.constant(2.0)
    return z`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({
    files: { 'model.ipynb': notebook() },
    settings: { 'workbench.editorAssociations': { '*.ipynb': 'jupyter-notebook' } },
  });
  const { page } = workbench;
  const squiggles = page.locator('.notebook-editor .squiggly-error');
  await workbench.goTo('model.ipynb');
  // The findings are there before a cell's editor is: on a busy machine that takes its time.
  await page.locator('#status\\.problems', { hasText: '2' }).waitFor({ timeout: LOAD_MILLISECONDS });
  await squiggles.nth(1).waitFor({ timeout: LOAD_MILLISECONDS });
  await workbench.shoot('squiggles');

  const hover = await workbench.hoverAt(() => workbench.middleOf(squiggles.first()), 'branch-dtype-mismatch');
  await workbench.shoot('hover');
  await workbench.leaveHover(hover);

  // The earlier cell is put right: the squiggle in the later one goes.
  await clickBehind(workbench, 'tf.cast(x, tf.float16)');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('32');
  await until('the later cell to be right', async () => (await squiggles.count()) === 1);
  await workbench.shoot('earlier-cell-edited');

  // The other finding is fixed in its own cell, from the keyboard.
  for (let attempt = 1; ; attempt++) {
    await clickBehind(workbench, 'if tf.reduce_sum(x) > 0:', 1);
    try {
      console.log(`quick fix: ${await workbench.openQuickFixes()}`);
      break;
    } catch (error) {
      if (attempt === 5) {
        throw error;
      }
    }
  }
  await workbench.shoot('quick-fixes');
  await workbench.acceptQuickFix();
  await until('the squiggle to go', async () => (await squiggles.count()) === 0);
  await workbench.shoot('fixed');

  const saved = JSON.parse(await workbench.save('model.ipynb')).cells.map((cell) => [cell.source].flat().join(''));
  assert.match(saved[2], /float32/);
  assert.equal(saved[3], USER, 'the other cells are as they were');
  assert.match(saved[4], /z = /);
  assert.notEqual(saved[4], CLIP);
  await workbench.expectNoNotification();
}

function notebook() {
  const code = (source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null });
  const cells = [
    { cell_type: 'markdown', source: '# Scaling', metadata: {} },
    code('%matplotlib inline\nimport tensorflow as tf'),
    code(SCALE),
    code(USER),
    code(CLIP),
  ];
  const metadata = { language_info: { name: 'python' } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}

/** The first click may only make the cell's editor real. */
async function clickBehind(workbench, text, which = 0) {
  const line = workbench.page.locator('.notebook-editor .view-line', { hasText: text }).nth(which);
  const box = await line.locator('span > span').last().boundingBox();
  await workbench.page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
  await workbench.page.waitForFunction(() => !!document.activeElement?.closest('.notebook-editor .monaco-editor'));
}
