// Runs one scenario in a real VS Code:
//     node run.mjs SCENARIO EXTENSION.vsix EXAMPLE.py SHOTS [dark|light|contrast]
// A scenario is a file in scenarios/: its `run` gets a function that opens a VS Code. CHROMIUM names the browser.
// The exit code is 1 if the scenario failed; then the last screenshot shows where.
import fs from 'node:fs';
import { Workbench } from './workbench.mjs';

const [scenario = '', vsix = '', example = '', shots = '', named = 'dark'] = process.argv.slice(2);
const theme = /** @type {import('./workbench.mjs').Options['theme']} */ (named);
const chromiumPath = process.env.CHROMIUM ?? '';
const name = `${scenario}-${theme}`;
const { run } = await import(`./scenarios/${scenario}.mjs`);
/** @type {Workbench[]} */
const opened = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.exit(130)); // the exit handlers end what was started
}

/** @type {import('./workbench.mjs').Given['open']} */
async function open(options) {
  const workbench = await Workbench.open({ name, theme, vsix, shots, chromiumPath, ...options });
  opened.push(workbench);
  return workbench;
}

fs.mkdirSync(shots, { recursive: true });
for (const file of fs.readdirSync(shots).filter((file) => file.startsWith(`${name}-`))) {
  fs.rmSync(`${shots}/${file}`);
}
const started = Date.now();
try {
  await run({ open, example, theme });
  console.log(`${name}: passed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
  for (const workbench of opened) {
    await workbench.shoot('FAILED').catch(() => {});
    console.error(`The extension's log:\n${workbench.log()}`);
  }
} finally {
  for (const workbench of opened) {
    await workbench.close();
  }
}
process.exit();
