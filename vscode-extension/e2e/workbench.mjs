// Drives a real VS Code in headless Chromium: opens files, reads squiggles and hovers, applies fixes.
// It waits for what is visible, focused and still, for no set time; nothing but 127.0.0.1 leaves the page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import {
  createRunFolder,
  QUIET_SETTINGS,
  removeRunFolder,
  startCodeServer,
  stopCodeServer,
  until,
  writeSettings,
} from './codeServer.mjs';

const STEADY_SETTINGS = {
  'editor.cursorBlinking': 'solid',
  'editor.hover.delay': 100,
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'window.restoreWindows': 'none',
  'workbench.reduceMotion': 'on',
};
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', contrast: 'Default High Contrast' };
const LOAD_MILLISECONDS = 90_000;

/**
 * @typedef {object} Options
 * @property {string} name what screenshots and folders are called by
 * @property {'dark' | 'light' | 'contrast'} theme
 * @property {string} vsix
 * @property {string} shots
 * @property {string} chromiumPath
 * @property {Record<string, string>} files
 * @property {Record<string, unknown>} [settings] the user's
 * @property {Record<string, unknown>} [machine] the machine's
 * @property {boolean} [trusted]
 * @property {Record<string, string>} [environment]
 * @property {{ width: number, height: number }} [viewport]
 */

/** @typedef {[number, number]} Point */

/**
 * What a scenario gets: a way to open a VS Code, the example to open in it, and the theme.
 * @typedef {object} Given
 * @property {(options: Partial<Options> & Pick<Options, 'files'>) => Promise<Workbench>} open
 * @property {string} example
 * @property {Options['theme']} theme
 */

export class Workbench {
  /** @type {string} */ name;
  /** @type {string} The folder that screenshots go to. */ shots;
  /** @type {string} The folder that this VS Code lives in. */ run;
  /** @type {string[]} What was asked of other hosts. */ external = [];
  shotCount = 0;
  /** @type {Awaited<ReturnType<typeof startCodeServer>> | undefined} */ server;
  /** @type {import('playwright-core').Browser | undefined} */ browser;
  /** @type {import('playwright-core').Page} */ page = /** @type {never} */ (undefined);

  /** @param {{ name: string, shots: string, run: string }} where */
  constructor({ name, shots, run }) {
    this.name = name;
    this.shots = shots;
    this.run = run;
  }

  /**
   * A VS Code with the extension on a workspace of these files, in a browser.
   * @param {Options} options
   */
  static async open({
    name,
    theme,
    vsix,
    shots,
    chromiumPath,
    files,
    settings = {},
    machine = {},
    trusted = true,
    environment = {},
    viewport = { width: 1400, height: 900 },
  }) {
    const self = new Workbench({ name, shots, run: createRunFolder(name) });
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(self.file(file)), { recursive: true });
      fs.writeFileSync(self.file(file), text);
    }
    const trust = { 'security.workspace.trust.enabled': !trusted, 'security.workspace.trust.startupPrompt': 'never' };
    const colors = { 'workbench.colorTheme': THEMES[theme] };
    writeSettings(self.run, { ...QUIET_SETTINGS, ...STEADY_SETTINGS, ...trust, ...colors, ...settings }, machine);
    const options = trusted ? ['--disable-workspace-trust'] : [];
    try {
      self.server = await startCodeServer({ run: self.run, vsix, environment, options });
      self.browser = await chromium.launch({
        executablePath: chromiumPath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      });
      const context = await self.browser.newContext({ viewport });
      await context.route(
        (url) => !['127.0.0.1', 'localhost'].includes(url.hostname),
        (route) => {
          self.external.push(route.request().url());
          return route.abort();
        },
      );
      self.page = await context.newPage();
      self.page.setDefaultTimeout(30_000);
    } catch (error) {
      await self.close();
      throw error;
    }
    return self;
  }

  file(name) {
    return path.join(this.run, 'ws', name);
  }

  read(name) {
    return fs.readFileSync(this.file(name), 'utf8');
  }

  /** Replaces the machine's settings; VS Code notices by itself. */
  setMachineSettings(settings) {
    fs.writeFileSync(path.join(this.run, 'user/Machine/settings.json'), JSON.stringify(settings));
  }

  async goTo(file) {
    const port = this.server?.port;
    const url = new URL(`http://127.0.0.1:${port}/`);
    url.searchParams.set('folder', path.join(this.run, 'ws'));
    const remote = `vscode-remote://127.0.0.1:${port}${this.file(file)}`;
    url.searchParams.set('payload', JSON.stringify([['openFile', remote]]));
    await this.page.goto(url.href, { waitUntil: 'commit' });
  }

  squiggles() {
    return this.page.locator('.editor-instance .squiggly-error');
  }

  async waitForSquiggle() {
    await this.squiggles().first().waitFor({ timeout: LOAD_MILLISECONDS });
  }

  /** The text of the hover over the first squiggle, once it contains what is expected. */
  hoverOverSquiggle(expected) {
    return this.hoverAt(() => this.middleOfSquiggle(), expected);
  }

  /**
   * The hover at a place; the mouse comes again where hints have pushed the code away in the meantime.
   * @param {() => Promise<Point>} place
   * @param {string | RegExp} expected
   */
  async hoverAt(place, expected) {
    const hover = this.page.locator('.monaco-hover:visible', { hasText: expected });
    await until(`a hover with ${expected}`, async () => {
      await this.page.mouse.move(5, 5);
      await this.page.mouse.move(...(await place()));
      await hover.waitFor({ timeout: 5_000 });
      return true;
    });
    return hover;
  }

  /**
   * The middle of an element that keeps still.
   * @param {import('playwright-core').Locator} element
   */
  middleOf(element) {
    return this.steady(async () => {
      const box = await element.boundingBox();
      assert(box !== null, 'it is on the screen');
      return [box.x + box.width / 2, box.y + box.height / 2];
    });
  }

  async leaveHover(hover) {
    await this.page.keyboard.press('Escape');
    await this.page.mouse.move(5, 5);
    await hover.waitFor({ state: 'hidden' });
  }

  async putCaretOnSquiggle() {
    await this.page.mouse.click(...(await this.middleOfSquiggle()));
    await this.page.waitForFunction(() => !!document.activeElement?.closest('.monaco-editor'));
  }

  middleOfSquiggle() {
    return this.middleOf(this.squiggles().first());
  }

  /**
   * A place that has stopped moving: links and hints come later than the text and push it about.
   * @param {() => Promise<Point>} place
   * @returns {Promise<Point>}
   */
  async steady(place) {
    /** @type {Point | undefined} */
    let before;
    return until('the code to keep still', async () => {
      const now = await place();
      const still = before !== undefined && now.join() === before.join();
      before = now;
      await this.page.waitForTimeout(250);
      return still && now;
    });
  }

  /**
   * Opens the quick fixes with the keyboard and returns the focused one's title.
   * Visible is not focused: a key sent too early would go to the editor.
   */
  async openQuickFixes() {
    return this.openActions('Control+.');
  }

  /** The refactorings in the same way; those that aren't possible are among them, with the reason. */
  async openRefactorings() {
    return this.openActions('Control+Shift+r');
  }

  async openActions(key) {
    const list = this.page.locator('.action-widget:not(.action-list-submenu-panel)');
    const focused = list.locator('.monaco-list-row.focused');
    for (let attempt = 1; ; attempt++) {
      await this.page.keyboard.press(key);
      try {
        await focused.waitFor({ timeout: 5_000 });
        await this.page.waitForFunction(() => !!document.activeElement?.closest('.action-widget'), null, {
          timeout: 5_000,
        });
        return (await focused.innerText()).trim();
      } catch (error) {
        if (attempt === 4) {
          throw error;
        }
        if (await list.isVisible()) {
          await this.page.keyboard.press('Escape');
        }
      }
    }
  }

  async acceptQuickFix() {
    await this.page.keyboard.press('Enter');
    await this.page.locator('.action-widget').first().waitFor({ state: 'hidden' });
  }

  /** Chooses the quick fix whose title has these words, with the arrow keys. */
  async chooseQuickFix(words, shot) {
    await this.focusQuickFix(words);
    if (shot !== undefined) {
      await this.shoot(shot);
      // What arrives meanwhile may close the menu, and a key would then go to the editor.
      if (!(await this.focusedActions()).join().includes(words)) {
        await this.focusQuickFix(words);
      }
    }
    await this.acceptQuickFix();
  }

  async focusQuickFix(words) {
    let title = await this.openQuickFixes();
    const seen = new Set();
    while (!title.includes(words)) {
      if (seen.has(title)) {
        throw new Error(`no quick fix says "${words}": ${[...seen].join(' | ')}`);
      }
      seen.add(title);
      await this.page.keyboard.press('ArrowDown');
      await until('the next quick fix', async () => !(await this.focusedActions()).includes(title));
      title = (await this.focusedActions())[0] ?? '';
    }
  }

  async focusedActions() {
    const titles = await this.page.locator('.action-widget .monaco-list-row.focused').allInnerTexts();
    return titles.map((title) => title.trim());
  }

  /** Puts the caret at the beginning of a line, counted from 1. */
  async goToLine(line) {
    await this.page.keyboard.press('Control+g');
    const box = this.page.locator('.quick-input-widget input');
    await box.waitFor();
    await box.fill(`:${line}`);
    await this.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await this.page.waitForFunction(() => !!document.activeElement?.closest('.monaco-editor'));
  }

  /**
   * Runs a command by its title, from the command palette. The palette lists what can be run when it opens:
   * a command that only just becomes possible is looked for in a palette opened again.
   */
  async runCommand(title) {
    const box = this.page.locator('.quick-input-widget input');
    const first = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
    await until(`the command "${title}"`, async () => {
      if (await box.isVisible()) {
        await this.page.keyboard.press('Escape');
        await box.waitFor({ state: 'hidden', timeout: 3_000 });
      }
      await this.page.keyboard.press('F1');
      await box.waitFor({ timeout: 3_000 });
      await box.fill(`>${title}`);
      await first.waitFor({ timeout: 3_000 });
      return true;
    });
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the server is there: it answers before it has anything to report. */
  async statusIsReady() {
    await until('the server to be ready', () => this.log().includes('; folders: '), LOAD_MILLISECONDS);
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  /** Clicks on the beginning of a piece of code, which must be on the screen. */
  async putCaretOn(code) {
    await this.page.mouse.click(...(await this.placeOf(code)));
    await this.page.waitForFunction(() => !!document.activeElement?.closest('.monaco-editor'));
  }

  /** The hover over a piece of code, once it contains what is expected. */
  hoverOver(code, expected) {
    return this.hoverAt(() => this.placeOf(code), expected);
  }

  placeOf(code) {
    return this.steady(() => this.placeNowOf(code));
  }

  /**
   * @param {string} code
   * @returns {Promise<Point>}
   */
  async placeNowOf(code) {
    const lines = this.page.locator('.editor-instance .view-line');
    const find = (found, wanted) => {
      const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
      for (const line of found) {
        const text = line.textContent.replaceAll('\u00a0', ' ');
        let at = text.indexOf(wanted);
        walker.currentNode = line;
        for (let node = at < 0 ? null : walker.nextNode(); node !== null; node = walker.nextNode()) {
          const { length } = /** @type {Text} */ (node);
          if (at < length) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, Math.min(at + 1, length));
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
          }
          at -= length;
        }
      }
      return undefined;
    };
    return until(`${code} to be on the screen`, () => lines.evaluateAll(find, code));
  }

  /** What decorations say beside the code, which no element holds. */
  textsBesideCode() {
    const texts = (found) =>
      found.map((each) => getComputedStyle(each, '::after').content).filter((text) => text !== 'none');
    return this.page
      .locator('.view-line span')
      .evaluateAll(texts)
      .then((found) => found.join('\n'));
  }

  /** Waits until the caret is on this line, from 1, as the status bar says. */
  async caretIsOnLine(line) {
    await this.page.locator('#status\\.editor\\.selection', { hasText: `Ln ${line},` }).waitFor();
  }

  /** What is inside of the page that an extension shows. */
  webview() {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /**
   * Saves the file in front and returns its text, once the editor says that it is written:
   * it empties the file first, so a look at the disk alone may see the half of it.
   */
  async save(name) {
    const unsaved = this.page.locator('.tabs-container .tab.active.dirty');
    await unsaved.waitFor();
    await this.page.keyboard.press('Control+s');
    await unsaved.waitFor({ state: 'detached' });
    return this.read(name);
  }

  notifications() {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  /** The bell, not the toasts, which fade. */
  async expectNoNotification() {
    await this.page.locator('#status\\.notifications .codicon-bell').waitFor();
  }

  /** The process ids of our language servers in this VS Code. */
  languageServers() {
    return this.processes(`${path.join('bundled', 'run.py')} server`);
  }

  /** Those in which code runs that the user asked to be traced, timed or run, and those that wait for that. */
  agents() {
    return this.processes(path.join('graphwright', 'agent'));
  }

  processes(what) {
    const processes = execFileSync('ps', ['-axwwo', 'pid=,args='], { encoding: 'utf8' });
    return processes
      .split('\n')
      .filter((line) => line.includes(path.join(this.run, 'ext')) && line.includes(what))
      .map((line) => Number(line.trim().split(' ')[0]));
  }

  async killLanguageServer() {
    const [server] = await until('a language server to run', () => {
      const found = this.languageServers();
      return found.length === 1 && found;
    });
    process.kill(server, 'SIGKILL');
    await until('the language server to be gone', () => !this.languageServers().includes(server));
  }

  /** A screenshot as an artefact; without animations, else a hover is half transparent. */
  async shoot(what) {
    this.shotCount += 1;
    const file = path.join(this.shots, `${this.name}-${this.shotCount}-${what}.png`);
    await this.page.screenshot({ path: file, animations: 'disabled' });
  }

  /** The log of the extension, as its output channel shows it. */
  log() {
    const logs = path.join(this.run, 'user', 'logs');
    const files = fs.existsSync(logs) ? fs.readdirSync(logs, { recursive: true, encoding: 'utf8' }) : [];
    return files
      .filter((file) => path.basename(file) === 'Graphwright.log')
      .map((file) => fs.readFileSync(path.join(logs, file), 'utf8'))
      .join('\n');
  }

  async close() {
    await this.browser?.close();
    if (this.server) {
      await stopCodeServer(this.server.child);
      await until('no language server to be left', () => this.languageServers().length === 0, 10_000);
    }
    removeRunFolder(this.run);
  }
}
