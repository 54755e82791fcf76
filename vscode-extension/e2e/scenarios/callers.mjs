// What a script that nobody has open calls in a library that is: told, shown, and followed when the script changes.
import fs from 'node:fs';
import { until, untilReads } from '../codeServer.mjs';

const LIBRARY = `import tensorflow as tf


@tf.function
def scaled(x, training):
    if training:
        y = x * 2.0
    return y
`;
const PROGRAM = `import tensorflow as tf
from library import scaled

training = FLAG


def main():
    for size in (2, 3):
        print(scaled(tf.ones([size]), training))


main()
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const decided = PROGRAM.replace('FLAG', 'True');
  const workbench = await open({
    files: { 'library.py': LIBRARY, 'train.py': PROGRAM.replace('FLAG', 'tf.constant(True)') },
  });
  const { page } = workbench;
  await workbench.goTo('library.py');

  await workbench.waitForSquiggle();
  await page.locator('.codelens-decoration', { hasText: '2 traces in train.py' }).waitFor({ timeout: 60_000 });
  const line = (text) => page.locator('.editor-instance .view-line', { hasText: text });
  await line('x: float32[?], training: bool[]').waitFor();
  await page.keyboard.press('Control+Shift+m');
  const calls = page.locator('.markers-panel .monaco-list-row', { hasText: 'is called here' });
  await calls.first().waitFor();
  await untilReads(
    async () => (await calls.allInnerTexts()).join('\n'),
    /train\.py[\s\S]*Ln 9[\s\S]*`scaled` is called[\s\S]*train\.py[\s\S]*Ln 12[\s\S]*`main` is called/,
  );
  await workbench.shoot('told-by-a-closed-file');

  // The script is saved by another program: Python decides there now.
  fs.writeFileSync(workbench.file('train.py'), decided);
  await until('the finding to go', async () => (await workbench.squiggles().count()) === 0);
  await line('if training:Python').waitFor();
  await workbench.shoot('the-closed-file-has-changed');
  await workbench.expectNoNotification();
}
