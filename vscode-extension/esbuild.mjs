// Bundles the extension into the file that VS Code loads, and the page of the results into the one that this page loads.
import { build } from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const common = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };

await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'out/extension.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
});
await build({
  ...common,
  entryPoints: ['src/webview/results.ts'],
  outfile: 'out/results.js',
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
});
