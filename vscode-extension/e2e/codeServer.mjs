// Starts and stops a real VS Code (code-server) with the packaged extension, for the demo and the end-to-end tests.
// Everything it writes is inside one run folder; it knows nothing of browsers.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const ENTRY = path.join(ROOT, '.dev/code-server/node_modules/code-server/out/node/entry.js');

/** No first-run pages, no telemetry, no gallery, no network. */
export const QUIET_SETTINGS = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'json.schemaDownload.enable': false,
  'npm.autoDetect': 'off',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** A folder for one run, in the temporary folder, with an empty workspace in `ws`. */
export function createRunFolder(name) {
  const run = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `graphwright-${name}-`)));
  for (const folder of ['home', 'tmp', 'ext', 'ws', 'user/User', 'user/Machine']) {
    fs.mkdirSync(path.join(run, folder), { recursive: true });
  }
  fs.writeFileSync(path.join(run, 'config.yaml'), '');
  return run;
}

/**
 * Machine-scoped settings are only kept in the machine's settings file:
 * from the user's they are seen for a moment and then vanish.
 */
export function writeSettings(run, user, machine = {}) {
  fs.writeFileSync(path.join(run, 'user/User/settings.json'), JSON.stringify(user, null, 2));
  fs.writeFileSync(path.join(run, 'user/Machine/settings.json'), JSON.stringify(machine, null, 2));
}

/** Installs the extension and starts code-server; resolves once it answers. Workspaces are trusted by default. */
export async function startCodeServer({
  run,
  vsix,
  port = 0,
  environment = {},
  options = ['--disable-workspace-trust'],
}) {
  const env = { ...withoutVSCode(process.env), ...environment, ...privateFolders(run), EXTENSIONS_GALLERY: '{}' };
  keepPath(run, env);
  install(run, vsix, env);
  const folders = foldersOf(run, path.join(run, 'ext'));
  const chosen = await freePort(port);
  const log = fs.openSync(path.join(run, 'code-server.log'), 'w');
  const quiet = [
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    '--disable-proxy',
  ];
  const child = spawn(
    process.execPath,
    [ENTRY, ...folders, '--auth', 'none', '--bind-addr', `127.0.0.1:${chosen}`, ...quiet, ...options],
    { env, stdio: ['ignore', log, log], detached: true }, // its own process group, ended as one
  );
  fs.closeSync(log);
  running.add(child);
  try {
    await until('VS Code to answer', async () => {
      if (child.exitCode !== null) {
        throw new GaveUp(
          `VS Code ended with exit code ${child.exitCode}: ${lastLines(path.join(run, 'code-server.log'))}`,
        );
      }
      return (await fetch(`http://127.0.0.1:${chosen}/healthz`)).ok;
    });
  } catch (error) {
    await stopCodeServer(child);
    throw error;
  }
  return { child, port: chosen };
}

/**
 * Installs the extension for this run. Where GRAPHWRIGHT_E2E_INSTALLED names a folder, it is installed once, into that,
 * and each run gets a copy: a new installation takes five seconds of computing.
 */
function install(run, vsix, env) {
  const own = path.join(run, 'ext');
  const kept = process.env.GRAPHWRIGHT_E2E_INSTALLED ?? own;
  const list = 'extensions.json';
  if (!fs.existsSync(path.join(kept, list))) {
    const arguments_ = [ENTRY, ...foldersOf(run, kept), '--install-extension', vsix, '--force'];
    const installed = spawnSync(process.execPath, arguments_, { env, encoding: 'utf8' });
    if (installed.status !== 0) {
      throw new Error(`The extension could not be installed: ${installed.stdout}${installed.stderr}`);
    }
  }
  if (kept !== own) {
    fs.cpSync(kept, own, { recursive: true });
    const places = fs.readFileSync(path.join(kept, list), 'utf8').replaceAll(kept, own); // it names its folder
    fs.writeFileSync(path.join(own, list), places);
  }
}

function foldersOf(run, extensions) {
  return [
    ['--config', path.join(run, 'config.yaml')],
    ['--user-data-dir', path.join(run, 'user')],
    ['--extensions-dir', extensions],
  ].flat();
}

/** Ends code-server and all that it started. */
export async function stopCodeServer(child) {
  signalGroup(child, 'SIGTERM');
  await until('VS Code to end', () => child.exitCode !== null || child.signalCode !== null, 10_000).catch(() => {});
  signalGroup(child, 'SIGKILL'); // whatever of the group is still there
  running.delete(child);
}

export function removeRunFolder(run) {
  fs.rmSync(run, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Waits until the condition holds, without sleeping longer than a blink at a time. */
export async function until(what, condition, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  let last;
  for (;;) {
    try {
      last = await condition();
      if (last) {
        return last;
      }
    } catch (error) {
      if (error instanceof GaveUp) {
        throw error;
      }
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`Waited ${milliseconds} ms in vain for ${what} (last: ${last}).`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Waits for a text. VS Code renders lenses, lists and views again whenever an answer arrives,
 * and a text that is read once may be read while it is empty.
 * @param {() => Promise<string>} read
 * @param {RegExp} pattern
 */
export async function untilReads(read, pattern) {
  await until(`a text like ${pattern}`, async () => {
    const text = (await read()).replaceAll('\u00a0', ' ');
    if (!pattern.test(text)) {
      throw new Error(`it reads ${JSON.stringify(text)}`);
    }
    return true;
  });
}

/** An error that waiting longer can't mend. */
class GaveUp extends Error {}

const running = new Set();

// However this process ends, no code-server stays behind.
process.on('exit', () => {
  for (const child of running) {
    signalGroup(child, 'SIGKILL');
  }
});

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

/** Variables that would tell code-server otherwise than its arguments do. */
function withoutVSCode(environment) {
  const misleading = (name) => name.startsWith('VSCODE_') || name.startsWith('CODE_SERVER_') || name === 'PORT';
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !misleading(name)));
}

function privateFolders(run) {
  const home = path.join(run, 'home');
  return { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, TMPDIR: path.join(run, 'tmp') };
}

/** VS Code takes its PATH from a login shell, which would set another one. */
function keepPath(run, env) {
  env.SHELL = '/bin/sh';
  fs.writeFileSync(path.join(run, 'home', '.profile'), `PATH='${env.PATH.replaceAll("'", `'\\''`)}'\nexport PATH\n`);
}

/**
 * The wanted port if nobody has it; any that is free if none is wanted.
 * @returns {Promise<number>}
 */
export function freePort(wanted = 0) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${wanted} is in use.`) : error),
    );
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

function lastLines(file) {
  return fs.readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
}
