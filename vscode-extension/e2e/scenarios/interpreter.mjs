// A wrong interpreter is one clear message; mending the setting starts the server.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { untilReads } from '../codeServer.mjs';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open, example }) {
  const workbench = await open({
    files: { 'model.py': fs.readFileSync(example, 'utf8') },
    machine: { 'graphwright.interpreter': '/nowhere/bin/python3' },
  });
  await workbench.goTo('model.py');
  const message = workbench.notifications().filter({ hasText: '/nowhere/bin/python3' });
  await message.waitFor({ timeout: 90_000 });
  await untilReads(() => message.innerText(), /no such program/);
  await workbench.shoot('message');
  assert.equal(await workbench.notifications().count(), 1, 'one message, not several');
  assert.equal(await workbench.squiggles().count(), 0);

  workbench.setMachineSettings({});
  await workbench.waitForSquiggle();
  await workbench.shoot('mended');
}
