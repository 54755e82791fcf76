// Inlay hints, lenses, colours of staged keywords and of what happens once, and a hover on an `if`.
import { until, untilReads } from '../codeServer.mjs';

const PROGRAM = `import tensorflow as tf


@tf.function
def train_step(batch, rate, training):
    total = tf.zeros([3])
    for row in batch:
        if tf.reduce_sum(row) > 0.0:
            total = total + rate * row
    if training:
        print("tracing with", rate)
        total = tf.nn.dropout(total, 0.5)
    for scale in (1.0, 0.5):
        total = total * scale
    return tf.reduce_mean(total)


loss = train_step(tf.ones([8, 3]), 0.1, True)
loss = train_step(tf.ones([8, 3]), 0.1, True)
loss = train_step(tf.ones([8, 3]), 0.2, True)
print("loss", loss)
`;

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({ files: { 'train.py': PROGRAM } });
  const { page } = workbench;
  await workbench.goTo('train.py');
  const line = (text) => page.locator('.editor-instance .view-line', { hasText: text }).first();

  await page
    .locator('.editor-instance .view-line', { hasText: 'batch: float32[8, 3]' })
    .first()
    .waitFor({ timeout: 90_000 });
  const shown = async (text) => (await line(text).innerText()).replaceAll('\u00a0', ' ');
  await until('the hint at the loop', async () => (await shown('in batch')).endsWith(':graph'));
  await untilReads(() => line('in (1.0').innerText(), /:Python, 2×$/);
  await until('the hints at the calls', async () => (await shown('0.2, True')).includes('new trace 2: rate 0.1 → 0.2'));

  const lens = page.locator('.codelens-decoration', { hasText: 'Preview graph code' });
  await lens.waitFor();
  await untilReads(() => lens.innerText(), /Preview graph code.*Trace.*2 traces.*Time/s);

  await until('the staged `if` and a plain one in different colours', async () => {
    // Both have a keyword's colour until the server has told of them.
    const staged = await colourOf(line('tf.reduce_sum(row)'), 'if');
    const plain = await colourOf(line('training:'), 'if');
    return staged && plain && plain !== staged;
  });
  await until('a `print` that happens once in a colour of its own', async () => {
    const once = await colourOf(line('"tracing with"'), 'print');
    const always = await colourOf(line('"loss"'), 'print');
    return once && always && once !== always;
  });
  await workbench.shoot('hints');

  const keyword = word(line('tf.reduce_sum(row)'), 'if');
  const hover = await workbench.hoverAt(() => workbench.middleOf(keyword), 'Part of the graph.');
  await workbench.shoot('hover-on-if');
  await workbench.leaveHover(hover);
  await workbench.expectNoNotification();
}

function word(line, text) {
  return line
    .locator('span > span')
    .filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) })
    .first();
}

async function colourOf(line, text) {
  const found = word(line, text);
  return (await found.count()) > 0 && found.evaluate((element) => getComputedStyle(element).color);
}
