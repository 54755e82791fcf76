// The walkthrough: its steps are there, a button opens an example with its squiggle, and the step counts as done.
import assert from 'node:assert/strict';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open }) {
  const workbench = await open({ files: { 'model.py': 'import tensorflow as tf\n' } });
  const { page } = workbench;
  await workbench.goTo('model.py');
  await workbench.statusIsReady();
  await workbench.runCommand('Welcome: Open Walkthrough');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Get started with Graphwright' }).first().click();
  const steps = page.locator('.getting-started-step');
  await steps.filter({ hasText: 'Choose a Python' }).waitFor();
  await steps.filter({ hasText: 'Missing values' }).click();
  await workbench.webview().getByText("A variable that isn't always defined").waitFor();
  await workbench.shoot('step');
  await page
    .locator('.getting-started-step.expanded .button-container .monaco-button', { hasText: 'Open the example' })
    .click();
  await workbench.waitForSquiggle();
  const hover = await workbench.hoverOverSquiggle('undefined-in-branch');
  await workbench.shoot('example');
  await workbench.leaveHover(hover);
  assert.equal(await page.locator('.tab', { hasText: 'undefined.py' }).count(), 1, 'the example has one tab');
  await steps.filter({ hasText: 'Missing values' }).locator('.codicon-getting-started-step-checked').waitFor();
  await workbench.expectNoNotification();
  assert.deepEqual(workbench.external, [], 'nothing was asked of the network');
}
