// What a user goes through, one function each; each gets a function that opens a VS Code.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from './codeServer.mjs';

const RULE = 'undefined-in-branch';

/** Squiggle, hover, quick fix from the keyboard: the buffer changes and the squiggle goes. */
export async function fix({ open, example }) {
  const before = fs.readFileSync(example, 'utf8');
  const workbench = await open({ files: { 'model.py': before } });
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();
  await workbench.shoot('squiggle');
  const count = await workbench.squiggles().count();

  const hover = await workbench.hoverOverSquiggle(RULE);
  await workbench.shoot('hover');
  await workbench.leaveHover(hover);

  await workbench.putCaretOnSquiggle();
  const title = await workbench.openQuickFixes();
  console.log(`quick fix: ${title}`);
  await workbench.shoot('quick-fixes');
  await workbench.acceptQuickFix();
  await until('the squiggle to go', async () => (await workbench.squiggles().count()) < count);
  await workbench.shoot('fixed');

  await workbench.save();
  await until('the fixed file to be saved', () => workbench.read('model.py') !== before);
  const lost = before.split('\n').filter((line) => !workbench.read('model.py').split('\n').includes(line));
  assert.deepEqual(lost, [], 'the fix only adds lines');
  await workbench.expectNoNotification();
  assert.deepEqual(workbench.external, [], 'nothing was asked of the network');
}

/** A killed server comes back with its squiggles; one that keeps dying is given up with one message. */
export async function crash({ open, example }) {
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

/** A wrong interpreter is one clear message; mending the setting starts the server. */
export async function interpreter({ open, example }) {
  const workbench = await open({
    files: { 'model.py': fs.readFileSync(example, 'utf8') },
    machine: { 'graphwright.interpreter': '/nowhere/bin/python3' },
  });
  await workbench.goTo('model.py');
  const message = workbench.notifications().filter({ hasText: '/nowhere/bin/python3' });
  await message.waitFor({ timeout: 90_000 });
  assert.match(await message.innerText(), /no such program/);
  await workbench.shoot('message');
  assert.equal(await workbench.notifications().count(), 1, 'one message, not several');
  assert.equal(await workbench.squiggles().count(), 0);

  workbench.setMachineSettings({});
  await workbench.waitForSquiggle();
  await workbench.shoot('mended');
}

/** In a workspace that isn't trusted files are checked, but its interpreter is not run. */
export async function untrusted({ open, example }) {
  const workbench = await open({ trusted: false, files: { 'model.py': fs.readFileSync(example, 'utf8') } });
  const trap = workbench.file('trap');
  const settings = JSON.stringify({ 'graphwright.interpreter': workbench.file('python3') });
  fs.writeFileSync(workbench.file('python3'), `#!/bin/sh\ntouch '${trap}'\nexec python3 "$@"\n`, { mode: 0o755 });
  fs.mkdirSync(workbench.file('.vscode'));
  fs.writeFileSync(workbench.file('.vscode/settings.json'), settings);
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();
  assert.equal(fs.existsSync(trap), false, 'the interpreter of the workspace was run');
  await workbench.page.locator('#status\\.workspaceTrust').waitFor();
  await workbench.shoot('checked');
}
