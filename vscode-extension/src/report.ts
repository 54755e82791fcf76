// What the server answers when code was traced, timed or run, as it goes to the views that show it.
// Lines count from 0.

export type Action = 'trace' | 'time' | 'run';

export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

export interface Report {
  readonly ok: boolean;
  readonly function: string;
  readonly file: string;
  readonly action: Action;
  readonly environment: { readonly python: string; readonly tensorflow: string; readonly executable: string };
  readonly seconds: number;
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly frames: readonly Frame[];
    readonly traceback: string;
  } | null;
  readonly traces: readonly {
    readonly signature: string;
    readonly cause: string;
    readonly seconds: number;
    readonly operations: number;
    readonly line: number | null;
  }[];
  readonly graph: {
    readonly operations: readonly { readonly type: string; readonly count: number }[];
    readonly size: number;
  } | null;
  readonly times: {
    readonly eager: readonly number[];
    readonly graph: readonly number[];
    readonly first: number;
  } | null;
  readonly result: { readonly text: string; readonly spec: string } | null;
  readonly notes?: readonly string[];
  readonly output: string;
  readonly svg: string;
}

/** What the view is sent: a report and the arguments that it was made with. */
export interface Shown {
  readonly report: Report;
  readonly arguments: string;
}

/** What the view asks for. */
export type Wish =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reveal'; readonly file: string; readonly line: number }
  | { readonly kind: 'again'; readonly action: Action }
  | { readonly kind: 'choosePython' }
  | { readonly kind: 'save' };

/** A time in the unit that suits it. */
export function duration(seconds: number): string {
  for (const [unit, size] of [
    ['s', 1],
    ['ms', 1e-3],
    ['µs', 1e-6],
  ] as const) {
    if (seconds >= size || unit === 'µs') {
      const number = seconds / size;
      return `${number >= 99.95 ? Math.round(number) : Number(number.toPrecision(3))} ${unit}`;
    }
  }
  return '';
}

/** How fast a graph is and when tracing pays off, as `_times` in `trace_report.py` says it. */
export function comparison(eager: number, graph: number, first: number): { verdict: string; note: string } {
  const [slower, faster] = eager >= graph ? [eager, graph] : [graph, eager];
  const traced = `The first call took ${duration(first)} because it traced`;
  if (slower <= faster * 1.05) {
    return { verdict: 'As fast as eager code', note: `${traced}.` };
  }
  const factor = fixed(slower / Math.max(faster, 1e-9));
  if (eager < graph) {
    return { verdict: `${factor} times slower than eager code`, note: `${traced}.` };
  }
  const calls = counted(Math.max(1, Math.round((first - graph) / (eager - graph))), 'call');
  return {
    verdict: `${factor} times as fast as eager code`,
    note: first > graph ? `${traced}, which pays off after ${calls}.` : `${traced}.`,
  };
}

/** The size of a graph, as `size_text` in `graph_lines.py` writes it. */
export function graphSize({ operations, size }: NonNullable<Report['graph']>): string {
  const count = operations.reduce((sum, each) => sum + each.count, 0);
  return `${counted(count, 'operation')}, ${size >= 1e6 ? `${fixed(size / 1e6)} MB` : `${fixed(size / 1e3)} kB`}`;
}

function fixed(number: number): string {
  return number.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

export function counted(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}
