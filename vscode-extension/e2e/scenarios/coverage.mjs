// What isn't followed: a lens that leads there, a line in the language status, and the list of it.
import { untilReads } from '../codeServer.mjs';

const PROGRAM = `import tensorflow as tf


def outer(n):
    raise ValueError(n)

    @tf.function
    def inner(x):
        return x

    return inner


@tf.function
def followed(x):
    if x.shape.rank == 0:
        return x
    raise ValueError(x)
    return -x


followed(tf.constant(1.0))
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({ files: { 'model.py': PROGRAM } });
  const { page } = workbench;
  await workbench.goTo('model.py');

  const lens = page.locator('.codelens-decoration a', { hasText: 'not analyzed: not called where' });
  await lens.waitFor({ timeout: 90_000 });
  await workbench.goToLine(1);
  await lens.click();
  await workbench.caretIsOnLine(8);

  await page.locator('#status\\.languageStatus').click();
  const status = page.locator('.hover-language-status', { hasText: '1 of 2 traced functions analyzed' });
  await status.first().waitFor();
  await workbench.shoot('status');
  await page.keyboard.press('Escape');

  await workbench.runCommand("Show Code That Isn't Analyzed");
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'followed' }).first().waitFor();
  await untilReads(() => rows.first().innerText(), /outer\.inner[\s\S]*line 8[\s\S]*not called where/);
  await workbench.shoot('list');
  await rows.filter({ hasText: 'the code before it never continues' }).first().click();
  await workbench.caretIsOnLine(18);
  await workbench.expectNoNotification();
}
