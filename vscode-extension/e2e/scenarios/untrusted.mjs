// In a workspace that isn't trusted files are checked, but its interpreter is not run.
import assert from 'node:assert/strict';
import fs from 'node:fs';

export async function run({ open, example }) {
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
