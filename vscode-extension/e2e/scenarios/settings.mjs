// Settings are followed live: the editor's, pyproject.toml's as it is typed, and which files are looked at.
import fs from 'node:fs';
import { until } from '../codeServer.mjs';

/** @param {import('../workbench.mjs').Given} given */
export async function run({ open, example }) {
  const source = fs.readFileSync(example, 'utf8');
  const workbench = await open({
    files: { 'model.py': source, 'pyproject.toml': '[tool.graphwright]\n', 'other.py': source },
  });
  const { page } = workbench;
  await workbench.goTo('model.py');
  await workbench.waitForSquiggle();
  const count = await workbench.squiggles().count();

  // In the editor's settings.
  workbench.setMachineSettings({ 'graphwright.severity': { undefined: 'information' } });
  await page.locator('.editor-instance .squiggly-info').first().waitFor();
  await until('the errors to go', async () => (await workbench.squiggles().count()) < count);
  await workbench.shoot('severity-in-the-settings');
  workbench.setMachineSettings({});
  await until('the errors to come back', async () => (await workbench.squiggles().count()) === count);

  // In pyproject.toml, not saved: first with a mistake, which is told there.
  await openFile(workbench, 'pyproject.toml');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('ignore = ["undefind"]');
  await until('the mistake to be told', async () => (await workbench.squiggles().count()) > 0);
  await workbench.shoot('mistake-in-pyproject');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.type('ignore = ["undefined"]');
  await until('the mistake to be gone', async () => (await workbench.squiggles().count()) === 0);
  await openFile(workbench, 'model.py');
  await until('the findings to be ignored', async () => (await workbench.squiggles().count()) === 0);
  await workbench.shoot('ignored-in-pyproject');

  // The whole workspace: a file that nobody opened is in the list of problems.
  await openFile(workbench, 'pyproject.toml');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  workbench.setMachineSettings({ 'graphwright.diagnosticMode': 'workspace' });
  await page.keyboard.press('Control+Shift+m');
  const unopened = page.locator('.markers-panel .monaco-list-row', { hasText: 'other.py' });
  await unopened.first().waitFor({ timeout: 60_000 });
  await workbench.shoot('workspace');
  workbench.setMachineSettings({ 'graphwright.diagnosticMode': 'openFilesOnly' });
  await until('the unopened file to be left alone', async () => (await unopened.count()) === 0);
  await workbench.expectNoNotification();
}

async function openFile(workbench, name) {
  const { page } = workbench;
  await page.keyboard.press('Control+p');
  await page.locator('.quick-input-widget input').fill(name);
  // The list of what was open before is there at once: only the row that is sought for is chosen.
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.waitForFunction(() => !!document.activeElement?.closest('.editor-instance'));
}
