// The graph code of a function: in the hover, beside the source where it follows edits and the caret, and as a diff.
import { until } from '../codeServer.mjs';

const SOURCE = `import tensorflow as tf


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.total = tf.Variable(0.0)

    @tf.function
    def step(self, x: tf.Tensor, rate: float):
        loss = tf.reduce_sum(x)
        if loss > 10.0:
            loss = loss * rate
        for row in x:
            loss = loss + tf.reduce_max(row)
        while loss > 100.0:
            loss = loss / 2.0
            if tf.math.is_nan(loss):
                break
        self.total.assign_add(loss)
        return loss


@tf.function
def clipped(x: tf.Tensor, low: tf.Tensor):
    if tf.reduce_any(x < low):
        x = tf.maximum(x, low)
    return x


def rows(n):
    for i in range(n):
        yield tf.fill([3], i)
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({ files: { 'model.py': SOURCE } });
  const { page } = workbench;
  await workbench.goTo('model.py');
  await page.locator('.view-line', { hasText: 'def step' }).waitFor({ timeout: 90_000 });
  const source = page.locator('.editor-instance').first();
  const beside = page.locator('.editor-group-container').nth(1).locator('.editor-instance');

  const name = source.locator('.view-line span', { hasText: /^step$/ }).first();
  const hover = page.locator('.monaco-hover:visible', { hasText: 'as Graphwright converts it' });
  await until(
    'the hover to show graph code',
    async () => {
      await page.mouse.move(5, 5);
      await name.hover();
      await hover.waitFor({ timeout: 3_000 });
      return true;
    },
    60_000,
  );
  await workbench.shoot('hover');
  await hover.getByRole('link', { name: 'Open to the side' }).first().click();
  await beside.locator('.view-line', { hasText: 'Model.step, as Graphwright converts it' }).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.move(5, 5);
  await workbench.shoot('beside');

  await putCaret(page, source, 'loss = loss * rate');
  await until('the generated lines to be marked', () => marked(beside));
  await workbench.shoot('marked');
  await putCaret(page, beside, 'tf.reduce_max(row)');
  await until('the line of the source to be marked', () => marked(source));
  await workbench.shoot('marked-from-the-graph-code');

  await putCaret(page, source, 'loss = loss * rate');
  await page.keyboard.press('End');
  await page.keyboard.type(' + 1.5', { delay: 20 });
  await beside.locator('.view-line', { hasText: 'loss * rate + 1.5' }).first().waitFor();
  await page.keyboard.type(' *', { delay: 20 });
  await beside.locator('.view-line', { hasText: "line 13 can't be parsed yet" }).waitFor();
  await workbench.shoot('half-typed');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await beside.locator('.view-line', { hasText: 'As it was' }).waitFor({ state: 'hidden' });

  await putCaret(page, source, 'x = tf.maximum');
  await beside.locator('.view-line', { hasText: 'clipped, as Graphwright converts it' }).waitFor();
  await workbench.runCommand('Graphwright: Switch Graph Code');
  await beside.locator('.view-line', { hasText: 'clipped, as plain TensorFlow' }).waitFor();
  await beside.locator('.view-line', { hasText: 'tf.cond' }).waitFor();
  await until('the conditional to be marked', () => marked(beside));
  await workbench.shoot('plain-tensorflow');
  await workbench.runCommand('Graphwright: Switch Graph Code');
  await beside.locator('.view-line', { hasText: 'clipped, as Graphwright converts it' }).waitFor();

  await putCaret(page, source, 'yield tf.fill');
  await beside.locator('.view-line', { hasText: 'rows has no graph code' }).waitFor();
  await until('the reason to be marked', () => marked(beside));
  await workbench.shoot('refused');

  await putCaret(page, source, 'self.total.assign_add');
  await beside.locator('.view-line', { hasText: 'Model.step' }).waitFor();
  await workbench.runCommand('Graphwright: Keep Showing This Function');
  await putCaret(page, source, 'x = tf.maximum');
  await until(
    'the caret to be there',
    async () => (await beside.locator('.view-line', { hasText: 'Model.step' }).count()) > 0,
  );
  await workbench.runCommand('Graphwright: Follow the Cursor Again');
  await beside.locator('.view-line', { hasText: 'clipped, as Graphwright converts it' }).waitFor();

  await putCaret(page, beside, 'return x');
  await workbench.runCommand('View: Close All Editors in Group');
  await beside.waitFor({ state: 'hidden' });
  await putCaret(page, source, 'self.total.assign_add');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('g');
  await beside.locator('.view-line', { hasText: 'Model.step' }).waitFor();
  await source.locator('.codelens-decoration a', { hasText: 'Preview graph code' }).last().click();
  await beside.locator('.view-line', { hasText: 'clipped, as Graphwright converts it' }).waitFor();

  await putCaret(page, source, 'loss = tf.reduce_sum(x)');
  await beside.locator('.view-line', { hasText: 'Model.step' }).waitFor();
  await workbench.runCommand('Graphwright: Compare Source with Graph Code');
  await page.locator('.monaco-diff-editor').waitFor();
  await page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'gw.while_' }).first().waitFor();
  await workbench.shoot('diff');
  await workbench.expectNoNotification();
}

async function putCaret(page, editor, text) {
  const line = editor.locator('.view-line', { hasText: text }).first();
  await line.click({ position: { x: 120, y: 5 } });
  await page.waitForFunction(() => !!document.activeElement?.closest('.monaco-editor'));
}

async function marked(editor) {
  return (await editor.locator('.view-overlays .cdr[class*="ced-"]').count()) > 0;
}
