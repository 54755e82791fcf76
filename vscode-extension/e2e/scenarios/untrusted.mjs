// In a workspace that isn't trusted files are checked, but its interpreter is not run, nor its code when asked for.
import assert from 'node:assert/strict';
import fs from 'node:fs';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open, example }) {
  const text = `${fs.readFileSync(example, 'utf8')}\nopen(__file__ + ".ran", "w").close()\n`;
  const workbench = await open({ trusted: false, files: { 'model.py': text } });
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

  for (const command of ['Trace Function', 'Time Function', 'Run Function']) {
    await workbench.putCaretOnSquiggle();
    await workbench.runCommand(`Graphwright: ${command}`);
    const message = workbench.notifications().filter({ hasText: "this workspace isn't trusted" }).first();
    await message.waitFor();
    await message.getByRole('button', { name: 'Manage Trust' }).waitFor();
    if (command === 'Trace Function') {
      await workbench.shoot('refused');
    }
    await message.hover();
    await message.locator('.codicon-notifications-clear').click();
  }
  assert.equal(fs.existsSync(trap), false, 'the interpreter of the workspace was run');
  assert.equal(fs.existsSync(workbench.file('model.py.ran')), false, 'the code was run');
}
