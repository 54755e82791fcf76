// Runs a notebook in JupyterLab in headless Chromium, as a user would, and prints what is below each cell as JSON:
//     node jupyterlab.mjs URL SHOTS [dark|light]
// CHROMIUM names the browser. Nothing but 127.0.0.1 leaves the page.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [url = '', shots = '', theme = 'light'] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
const context = await browser.newContext({ viewport: { width: 1300, height: 1500 } });
await context.route(
  (asked) => !['127.0.0.1', 'localhost'].includes(asked.hostname),
  (route) => route.abort(),
);
const page = await context.newPage();
page.setDefaultTimeout(60_000);
fs.mkdirSync(shots, { recursive: true });
try {
  await page.goto(url);
  const notebook = page.locator('.jp-NotebookPanel:not(.lm-mod-hidden)');
  await notebook.locator('.jp-Cell').first().waitFor();
  await page.getByText('| Idle').waitFor(); // Before that, JupyterLab asks which kernel to run the cells in.
  await page.locator('li.lm-MenuBar-item', { hasText: 'Run' }).click();
  await page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click();
  await page.locator('.graphwright-cell').last().waitFor();
  const cells = notebook.locator('.jp-CodeCell');
  const prompts = cells.locator('.jp-InputPrompt');
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].every((each) => /\[\d+\]/.test(each.textContent)),
    undefined,
    { timeout: 240_000 },
  );
  await notebook.locator('.graphwright-cell summary').first().click();
  await page.screenshot({ path: path.join(shots, `jupyterlab-${theme}.png`) });
  const outputs = [];
  for (const cell of await cells.all()) {
    outputs.push((await cell.locator('.jp-OutputArea').allInnerTexts()).join('\n'));
  }
  console.log(JSON.stringify({ prompts: await prompts.count(), outputs }));
} catch (error) {
  await page.screenshot({ path: path.join(shots, 'jupyterlab-FAILED.png') }).catch(() => {});
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
