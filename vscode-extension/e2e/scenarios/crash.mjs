// A killed server comes back with its squiggles; one that keeps dying is given up with one message.
import assert from 'node:assert/strict';
import fs from 'node:fs';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open, example }) {
  const workbench = await open({ files: { 'model.py': fs.readFileSync(example, 'utf8') } });
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();

  await workbench.killLanguageServer();
  await workbench.squiggles().first().waitFor({ state: 'hidden' });
  await workbench.waitForSquiggle();
  await workbench.expectNoNotification();
  await workbench.shoot('back');

  for (let kill = 2; kill <= 5; kill++) {
    await workbench.killLanguageServer();
    await workbench.squiggles().first().waitFor({ state: 'hidden' });
    if (kill < 5) {
      await workbench.waitForSquiggle();
    }
  }
  const message = workbench.notifications().filter({ hasText: 'keep running' });
  await message.waitFor();
  assert.equal(await workbench.notifications().count(), 1, 'one message, not several');
  await workbench.shoot('given-up');

  await message.getByRole('button', { name: 'Restart' }).click();
  await workbench.waitForSquiggle();
  await workbench.shoot('restarted');
}
