// The language status and the output say which TensorFlow is in which environment; nothing in it is started for that.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from '../codeServer.mjs';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open, example }) {
  const workbench = await open({
    files: {
      'model.py': fs.readFileSync(example, 'utf8'),
      '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.4\n',
      '.venv/lib/python3.12/site-packages/tensorflow-2.21.0.dist-info/METADATA': 'Name: tensorflow\n',
    },
  });
  const trap = workbench.file('trap');
  fs.mkdirSync(workbench.file('.venv/bin'));
  fs.writeFileSync(workbench.file('.venv/bin/python'), `#!/bin/sh\ntouch '${trap}'\n`, { mode: 0o755 });
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();
  const found = 'TensorFlow 2.21.0 in .venv (Python 3.12.4)';
  await until('the output to say what was found', () => workbench.log().includes(found));
  const status = workbench.page.locator('.hover-language-status', { hasText: found });
  await until('the language status to say it', async () => {
    await workbench.page.mouse.move(5, 5);
    await workbench.page.locator('#status\\.languageStatus').hover();
    await status.waitFor({ timeout: 3_000 });
    return true;
  });
  await workbench.shoot('status');
  assert.equal(fs.existsSync(trap), false, 'the Python of the environment was run');
}
