// Stands in for the editor's interface in tests of what needs no more of it than a few answers.
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';

const SOURCES = pathToFileURL('src/'); // the tests run in the extension's folder
const STUB = 'stub:vscode';

type Given = Record<string, unknown>;

/** Has the extension's modules get these parts of `vscode`, and for all others something that does nothing. */
export function standIn(given: Given): void {
  const parts = new Map(Object.entries(given));
  (globalThis as { vscodePart?: unknown }).vscodePart = (name: string) =>
    parts.has(name) ? parts.get(name) : anything();
  const source = importedNames()
    .map((name) => `export const ${name} = globalThis.vscodePart('${name}');`)
    .join('\n');
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'vscode') {
        return { url: STUB, shortCircuit: true };
      }
      // The sources leave the ending out, as a bundler lets them.
      return next(specifier.startsWith('.') && !specifier.endsWith('.ts') ? `${specifier}.ts` : specifier, context);
    },
    load: (url, context, next) => {
      if (url === STUB) {
        return { format: 'module', source, shortCircuit: true };
      }
      if (!url.startsWith(SOURCES.href)) {
        return next(url, context);
      }
      // Node itself only leaves types out, and refuses what else TypeScript has.
      const code = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'), { mode: 'transform' });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}

function importedNames(): readonly string[] {
  const names = new Set<string>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.ts')) {
      const text = readFileSync(new URL(file, SOURCES), 'utf8');
      for (const [, list = ''] of text.matchAll(/import \{([^}]*)\} from 'vscode'/g)) {
        for (const name of list.split(',')) {
          names.add(name.trim().split(' as ')[0] ?? '');
        }
      }
    }
  }
  names.delete('');
  return [...names];
}

/** It can be called, made and looked into, and is always the same; only a promise it isn't. */
function anything(): unknown {
  const stub: unknown = new Proxy(class {}, {
    get: (target, key) => (key === 'then' ? undefined : key === 'prototype' ? target.prototype : stub),
    apply: () => stub,
  });
  return stub;
}
