// Squiggle, hover, quick fix from the keyboard: the buffer changes and the squiggle goes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from '../codeServer.mjs';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open, example }) {
  const before = fs.readFileSync(example, 'utf8');
  const workbench = await open({ files: { 'model.py': before } });
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();
  await workbench.shoot('squiggle');
  const count = await workbench.squiggles().count();

  const hover = await workbench.hoverOverSquiggle('undefined-in-branch');
  await workbench.shoot('hover');
  await workbench.leaveHover(hover);

  await workbench.putCaretOnSquiggle();
  const title = await workbench.openQuickFixes();
  console.log(`quick fix: ${title}`);
  await workbench.shoot('quick-fixes');
  await workbench.acceptQuickFix();
  await until('the squiggle to go', async () => (await workbench.squiggles().count()) < count);
  await workbench.shoot('fixed');

  const fixed = await workbench.save('model.py');
  assert.notEqual(fixed, before);
  const lost = before.split('\n').filter((line) => !fixed.split('\n').includes(line));
  assert.deepEqual(lost, [], 'the fix only adds lines');
  await workbench.expectNoNotification();
  assert.deepEqual(workbench.external, [], 'nothing was asked of the network');
}
