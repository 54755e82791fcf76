// Takes the place of @vscode/spdlog, whose native part would need a compiler: without it the output channels are empty.
// It writes VS Code's log files as they come and rotates nothing.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 0;
    this.format = (level, message) => `${new Date().toISOString().replace('T', ' ').slice(0, 23)} [${level}] ${message}\n`;
    for (const [number, level] of LEVELS.entries()) {
      this[level] = (message) => this.write(number, this.format(level, message));
    }
  }

  write(number, text) {
    if (number < this.level) {
      return;
    }
    try {
      fs.appendFileSync(this.file, text);
    } catch {
      // A log that can't be written must not cost more than itself.
    }
  }

  clearFormatters() {
    this.format = (_level, message) => message;
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  setPattern() {}
  flush() {}
  drop() {}
}

async function createLogger(name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger('file', name, file);
}

// One assignment each: VS Code imports them by name, and Node finds the names only so.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
