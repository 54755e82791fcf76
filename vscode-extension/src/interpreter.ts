// Finds a Python that can run the server: the setting, then the Python extension's choice, then the PATH.
// It starts each candidate once to ask for its version; it starts no server.
import type { ExecFileException } from 'node:child_process';
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import type { LogOutputChannel } from 'vscode';
import { workspace } from 'vscode';
import { activeEnvironment } from './pythonExtension';

export interface Interpreter {
  readonly command: string;
  readonly version: string;
  readonly origin: string;
}

/** Whether the user named it, for their code as well; else any Python would do, and the server looks for theirs. */
export function isChosen(interpreter: Interpreter): boolean {
  return interpreter.origin !== FROM_PATH;
}

/** Why there is no interpreter, in words for the user. */
export interface NoInterpreter {
  readonly problem: string;
}

const FROM_PATH = 'the PATH';
const OLDEST: readonly [number, number] = [3, 10];
const PREFLIGHT_MILLISECONDS = 10_000;
const PATH_COMMANDS =
  process.platform === 'win32' ? [['py', '-3'], ['python'], ['python3']] : [['python3'], ['python']];

// Runs on any Python, old ones too, so that they can be named.
const PREFLIGHT = 'import json, sys; print(json.dumps([sys.executable, list(sys.version_info[:3])]))';

/** The interpreter to run the server with. `folder` is the extension's, where no module can shadow another. */
export async function findInterpreter(folder: string, output: LogOutputChannel): Promise<Interpreter | NoInterpreter> {
  const configured = workspace.getConfiguration('graphwright').get<string>('interpreter', '').trim();
  if (configured) {
    return ask([expand(configured)], 'the setting graphwright.interpreter', folder);
  }
  const problems: string[] = [];
  for (const { command, origin } of await unconfiguredCandidates(output)) {
    const found = await ask(command, origin, folder);
    if (!('problem' in found)) {
      return found;
    }
    output.info(found.problem);
    problems.push(found.problem);
  }
  const old = problems.find((problem) => problem.includes(' is Python '));
  return { problem: old ?? 'No Python was found on the PATH.' };
}

async function unconfiguredCandidates(output: LogOutputChannel): Promise<{ command: string[]; origin: string }[]> {
  const fromPath = PATH_COMMANDS.map((command) => ({ command, origin: FROM_PATH }));
  if (!workspace.isTrusted) {
    return fromPath; // the chosen environment may be a program inside the workspace
  }
  const chosen = await activeEnvironment(output);
  return chosen === undefined ? fromPath : [{ command: [chosen], origin: 'the Python extension' }, ...fromPath];
}

async function ask(command: string[], origin: string, folder: string): Promise<Interpreter | NoInterpreter> {
  const [program = '', ...rest] = command;
  const answer = await run(program, [...rest, '-E', '-s', '-c', PREFLIGHT], folder);
  if ('failure' in answer) {
    return { problem: `${command.join(' ')} (from ${origin}) can't be run as Python: ${answer.failure}.` };
  }
  const read = readPreflight(answer.text);
  if (read === undefined) {
    return { problem: `${command.join(' ')} (from ${origin}) doesn't answer as Python does.` };
  }
  const version = read.version.join('.');
  const [major = 0, minor = 0] = read.version;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return { problem: `${read.executable} (from ${origin}) is Python ${version}, too old.` };
  }
  return { command: read.executable || program, version, origin };
}

function run(program: string, args: string[], folder: string): Promise<{ text: string } | { failure: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, timeout: PREFLIGHT_MILLISECONDS }, (error, stdout) => {
      resolve(error === null ? { text: stdout } : { failure: describe(error) });
    });
  });
}

function describe(error: ExecFileException): string {
  if (error.code === 'ENOENT') {
    return 'no such program';
  }
  if (error.code === 'EACCES') {
    return 'it may not be executed';
  }
  if (error.killed) {
    return `no answer in ${PREFLIGHT_MILLISECONDS / 1000} seconds`;
  }
  return typeof error.code === 'number' ? `exit code ${error.code}` : String(error.code ?? 'unknown reason');
}

function readPreflight(text: string): { executable: string; version: number[] } | undefined {
  try {
    const [executable, version] = JSON.parse(text.trim().split('\n').at(-1) ?? '') as [string, number[]];
    return Array.isArray(version) ? { executable, version } : undefined;
  } catch {
    return undefined;
  }
}

function expand(setting: string): string {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write in their settings
  return setting.replaceAll('${workspaceFolder}', folder).replace(/^~(?=$|[\\/])/, homedir());
}
