// The page of the results: shows one report and asks for what the user clicks. It keeps nothing and runs nothing.
import type { Action, Report, Shown, Wish } from '../report';
import { comparison, counted, duration, graphSize } from '../report';
import { bars, element, section } from './elements';
import { picture } from './picture';

declare function acquireVsCodeApi(): { postMessage(wish: Wish): void };

const code = acquireVsCodeApi();
const SHOWN_OPERATIONS = 12;
const HEADS = { trace: 'Traced', time: 'Timed', run: 'Ran' } as const;

window.addEventListener('message', (event: MessageEvent<Shown | undefined>) => {
  const page = document.getElementById('results');
  if (event.data?.report !== undefined && page !== null) {
    page.replaceChildren(...parts(event.data));
    window.scrollTo(0, 0);
  }
});
code.postMessage({ kind: 'ready' });

function parts({ report, arguments: given }: Shown): HTMLElement[] {
  const graph = report.svg
    ? picture(report.svg, report.file, reveal, () => code.postMessage({ kind: 'save' }))
    : undefined;
  return [
    head(report, given),
    failure(report),
    section('Time of a call', report.times !== null && times(report.times)),
    section('Result', report.result !== null && result(report.result)),
    section(
      report.traces.length === 1 ? 'One trace' : `${report.traces.length} traces`,
      report.traces.length > 0 && traces(report),
    ),
    section('The graph', graph),
    section('Operations', report.graph !== null && operations(report.graph)),
    section('Notes', notes(report)),
    section('Output', report.output.trim() !== '' && element('pre', { className: 'output' }, report.output.trimEnd())),
  ].filter((part) => part !== undefined);
}

function head(report: Report, given: string): HTMLElement {
  const { python, tensorflow, executable } = report.environment;
  const where = [tensorflow && `TensorFlow ${tensorflow}`, python && `Python ${python}`].filter(Boolean).join(', ');
  const button = (action: Action, words: string): HTMLElement =>
    element(
      'button',
      {
        className: action === report.action ? '' : 'secondary',
        onclick: () => code.postMessage({ kind: 'again', action }),
      },
      words,
    );
  const again = report.action;
  const words = { trace: 'Trace', time: 'Time', run: 'Run' } as const;
  const buttons = (['trace', 'time', 'run'] as const).map((action) =>
    button(action, action === again ? `${words[action]} Again` : words[action]),
  );
  return element(
    'header',
    {},
    element(
      'h1',
      {},
      report.function,
      element(
        'span',
        { className: `badge ${report.ok ? 'ok' : 'failed'}` },
        report.ok ? HEADS[report.action] : 'Failed',
      ),
    ),
    given !== '' &&
      element('p', { className: 'call' }, element('code', {}, `${report.function.split('.').at(-1)}(${given})`)),
    element(
      'p',
      { className: 'environment', title: executable },
      [where, `${duration(report.seconds)} in all`].filter(Boolean).join(' · '),
    ),
    element('p', { className: 'buttons' }, ...buttons),
  );
}

function failure({ error, environment }: Report): HTMLElement | undefined {
  if (error === null) {
    return undefined;
  }
  const frames = [...error.frames]
    .reverse()
    .map((frame) =>
      element('li', {}, place(frame.file, frame.line), ` in ${frame.name}`, element('pre', {}, frame.text.trim())),
    );
  const lacksTensorFlow = environment.tensorflow === '' && /tensorflow/i.test(error.message);
  const choose = element(
    'button',
    { onclick: () => code.postMessage({ kind: 'choosePython' }) },
    'Choose Another Python',
  );
  return element(
    'section',
    { className: 'failure', role: 'alert' },
    element('h2', {}, error.type),
    element('pre', { className: 'message' }, error.message),
    lacksTensorFlow && element('p', {}, choose),
    frames.length > 0 && element('ol', { className: 'frames' }, ...frames),
    error.traceback.trim() !== '' &&
      element(
        'details',
        {},
        element('summary', {}, 'Full traceback'),
        element('pre', { className: 'output' }, error.traceback.trimEnd()),
      ),
  );
}

function result({ text, spec }: NonNullable<Report['result']>): HTMLElement {
  return element(
    'div',
    {},
    spec !== '' && element('p', { className: 'spec' }, element('code', {}, spec)),
    element('pre', { className: 'output result' }, text),
  );
}

function times({ eager, graph, first }: NonNullable<Report['times']>): HTMLElement {
  const [slow, fast] = [median(eager), median(graph)];
  const rows = [
    { name: 'eager', size: slow, words: duration(slow), kind: 'eager' },
    { name: 'graph', size: fast, words: duration(fast), kind: 'graph' },
  ].filter((row) => row.size > 0);
  const { verdict, note } = comparison(slow, fast, first);
  return element(
    'div',
    {},
    rows.length > 0 && bars(rows),
    rows.length === 2 && element('p', {}, element('strong', {}, verdict), `. ${note}`),
    element(
      'p',
      { className: 'environment' },
      `Medians of ${counted(eager.length, 'eager call')} and ${counted(graph.length, 'graph call')}.`,
    ),
  );
}

function traces(report: Report): HTMLElement {
  const rows = report.traces.map((trace, index) =>
    element(
      'li',
      {},
      element('code', {}, trace.signature),
      element(
        'p',
        {},
        `${trace.cause} `,
        element(
          'span',
          { className: 'environment' },
          `${duration(trace.seconds)}, ${counted(trace.operations, 'operation')}`,
        ),
      ),
      trace.line !== null && index === 0 && element('p', {}, place(report.file, trace.line)),
    ),
  );
  return element('ol', { className: 'traces' }, ...rows);
}

function operations(graph: NonNullable<Report['graph']>): HTMLElement {
  const found = graph.operations;
  const sorted = [...found].sort((one, other) => other.count - one.count);
  const rest = sorted.slice(SHOWN_OPERATIONS);
  const rows = sorted
    .slice(0, SHOWN_OPERATIONS)
    .map(({ type, count }) => ({ name: type, size: count, words: String(count) }));
  const others = rest.reduce((sum, each) => sum + each.count, 0);
  return element(
    'div',
    {},
    element('p', {}, `${graphSize(graph)}, ${counted(sorted.length, 'type')}.`),
    bars(
      rest.length > 0 ? [...rows, { name: `${rest.length} more types`, size: others, words: String(others) }] : rows,
    ),
  );
}

function notes(report: Report): HTMLElement | undefined {
  const lines = (report.notes ?? []).map((note) => element('li', {}, note));
  return lines.length > 0 ? element('ul', {}, ...lines) : undefined;
}

function place(file: string, line: number): HTMLElement {
  const name = nameOf(file);
  const onclick = (): boolean => {
    reveal(file, line);
    return false;
  };
  return element('a', { href: '#', title: file, onclick }, `${name}:${line + 1}`);
}

/** A file's own name, or that of the notebook that a cell is in. */
function nameOf(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return file.startsWith('vscode-notebook-cell:') ? decodeURIComponent(name.split('#')[0] ?? name) : name;
}

function reveal(file: string, line: number): void {
  code.postMessage({ kind: 'reveal', file, line });
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
