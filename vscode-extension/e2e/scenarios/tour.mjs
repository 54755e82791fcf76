// One function from its first line to its graph code, as the pictures of the documentation show it (`make pictures`).
// Every shot is a picture or a frame; tools/make_pictures.py says which.
import assert from 'node:assert/strict';
import { until } from '../codeServer.mjs';

const BEFORE = `import tensorflow as tf


@tf.function
def scaled_loss(loss, gradient_norm):
    
    return loss * scale


print(scaled_loss(tf.constant(2.0), tf.constant(12.0)))
`;
const TYPED = ['if gradient_norm', ' > 10.0:', '\n        scale = 10.0', ' / gradient_norm'];
const GRAPH = `import graphwright as gw
import tensorflow as tf


@gw.function
def first_above(prices, limit):
    for price in prices:
        if price > limit:
            return price
    return limit


first_above(tf.constant([3.0, 8.0, 9.0]), tf.constant(5.0))
`;
/** Nothing but the editor, so that a picture is small and shows what it is about. */
const PLAIN = {
  'breadcrumbs.enabled': false,
  'editor.autoIndent': 'none',
  'editor.fontSize': 15,
  'editor.lightbulb.enabled': 'off',
  'editor.scrollbar.vertical': 'hidden',
  'editor.scrollbar.horizontal': 'hidden',
  'editor.stickyScroll.enabled': false,
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.editor.editorActionsLocation': 'hidden',
  'workbench.layoutControl.enabled': false,
};

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const files = { 'loss.py': BEFORE, 'prices.py': GRAPH };
  const workbench = await open({ files, settings: PLAIN, viewport: { width: 960, height: 540 } });
  await workbench.goTo('loss.py');
  await typeTheBranch(workbench);
  await mendIt(workbench);
  await workbench.expectNoNotification();
  assert.deepEqual(workbench.external, [], 'nothing was asked of the network');
}

async function typeTheBranch(workbench) {
  const { page } = workbench;
  await page.locator('.view-line', { hasText: 'scaled_loss' }).first().waitFor({ timeout: 90_000 });
  await page.keyboard.press('Control+b'); // the side bar goes
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  await workbench.statusIsReady();
  await page.locator('.view-line').nth(5).click();
  await page.keyboard.press('End');
  await workbench.shoot('typing-0');
  for (const [index, text] of TYPED.entries()) {
    await page.keyboard.insertText(text);
    if (index === TYPED.length - 1) {
      await workbench.waitForSquiggle();
    }
    await workbench.shoot(`typing-${index + 1}`);
  }
}

async function mendIt(workbench) {
  const { page } = workbench;
  const hover = await workbench.hoverOverSquiggle('undefined-in-branch');
  await workbench.shoot('finding');
  await workbench.leaveHover(hover);
  await workbench.putCaretOnSquiggle();
  await workbench.openQuickFixes();
  await workbench.shoot('quick-fixes');
  await workbench.acceptQuickFix();
  await until('the squiggle to go', async () => (await workbench.squiggles().count()) === 0);
  await page.locator('.view-line', { hasText: 'graph' }).first().waitFor();
  await workbench.shoot('fixed');
}
