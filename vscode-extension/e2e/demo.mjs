// `make demo`: a real VS Code on a copy of the examples, until Ctrl-C.
//     node demo.mjs EXTENSION.vsix PYTHON
// PORT=8080 fixes the port, BROWSER=none opens no browser.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {
  createRunFolder,
  freePort,
  QUIET_SETTINGS,
  ROOT,
  removeRunFolder,
  startCodeServer,
  stopCodeServer,
  writeSettings,
} from './codeServer.mjs';

const [vsix, python] = process.argv.slice(2);
const examples = path.join(ROOT, '.dev/demo/examples');
const first = 'undefined_in_branch.py';

const stopRequested = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, resolve);
  }
});

let port;
try {
  port = await freePort(portFromEnvironment());
} catch (error) {
  console.error(`demo: ${messageOf(error)}`);
  process.exit(1);
}
fs.rmSync(examples, { recursive: true, force: true });
fs.cpSync(path.join(ROOT, 'examples'), examples, { recursive: true, filter: (file) => !file.includes('__pycache__') });

const run = createRunFolder('demo');
writeSettings(run, { ...QUIET_SETTINGS, 'files.autoSave': 'afterDelay' }, { 'graphwright.interpreter': python });
try {
  const { child } = await startCodeServer({ run, vsix, port });
  const ended = new Promise((resolve) => child.once('exit', () => resolve('ended')));
  const url = address(port);
  console.log('A real VS Code with Graphwright is running, on a copy of examples/: edit freely.');
  if (!openBrowser(url)) {
    console.log('Open this address in a browser on this machine.');
  }
  console.log('Stop with Ctrl-C.\n');
  console.log(url);
  if ((await Promise.race([stopRequested, ended])) === 'ended') {
    console.error(`VS Code ended by itself; its log:\n${fs.readFileSync(path.join(run, 'code-server.log'), 'utf8')}`);
    process.exitCode = 1;
  }
  await stopCodeServer(child);
} catch (error) {
  console.error(`demo: ${messageOf(error)}`);
  process.exitCode = 1;
} finally {
  removeRunFolder(run);
}
if (!process.exitCode) {
  console.log('\nStopped.');
}
process.exit();

function portFromEnvironment() {
  const wanted = process.env.PORT ?? '';
  if (wanted !== '' && !(/^\d+$/.test(wanted) && Number(wanted) < 65_536)) {
    throw new Error(`PORT must be a number from 0 to 65535, not ${wanted}.`);
  }
  return Number(wanted || 0);
}

function address(port) {
  const url = new URL(`http://127.0.0.1:${port}/`);
  url.searchParams.set('folder', examples);
  if (fs.existsSync(path.join(examples, first))) {
    url.searchParams.set(
      'payload',
      JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${examples}/${first}`]]),
    );
  }
  return url.href;
}

function openBrowser(url) {
  const wanted = process.env.BROWSER ?? '';
  const display = process.platform === 'darwin' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (wanted === 'none' || (!display && wanted === '')) {
    return false;
  }
  const opener = wanted || (process.platform === 'darwin' ? 'open' : 'xdg-open');
  if (spawnSync('sh', ['-c', 'command -v "$1"', 'sh', opener]).status !== 0) {
    return false;
  }
  const browser = spawn(opener, [url], { stdio: 'ignore', detached: true });
  browser.on('error', () => {});
  browser.unref();
  return true;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
