// What the preview's document says: the graph code under a line that tells whose it is, or why there is none.
// It asks nobody and shows nothing.

export type Style = 'graphwright' | 'tensorflow';

/** The server's answer to `graphwright/preview`. */
export interface Answer {
  readonly function: string;
  readonly style: Style;
  readonly version: number;
  readonly range: { readonly start: Place; readonly end: Place };
  readonly text: string;
  readonly lines: readonly number[];
  readonly refused: { readonly message: string; readonly line: number; readonly halfTyped: boolean } | null;
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

/** A text and the source line of each of its lines; -1 for what comes from none. */
export interface Content {
  readonly text: string;
  readonly lines: readonly number[];
  /** The function's lines in the source. */
  readonly span: { readonly start: number; readonly end: number };
  /** Whether it is of an earlier source. */
  readonly isOld: boolean;
}

/** As many columns as half a window usually has. */
const WIDTH = 52;

const NAMES: Record<Style, string> = { graphwright: 'as Graphwright converts it', tensorflow: 'as plain TensorFlow' };

/** Graph code that belongs to the source as it is, or (`oldBecause`) to how it was when it could last be parsed. */
export function code(answer: Answer, oldBecause?: string): Content {
  const title = `# ${answer.function}, ${NAMES[answer.style]}`;
  const note = oldBecause === undefined ? '' : `# As it was: ${oldBecause}.`; // in a line of its own, so that nothing moves
  return {
    text: `${title}\n${note}\n${answer.text}`,
    lines: [-1, -1, ...answer.lines],
    span: spanOf(answer),
    isOld: oldBecause !== undefined,
  };
}

export function refusal(answer: Answer): Content {
  const refused = answer.refused ?? { message: 'it is not known why', line: answer.range.start.line };
  const what = answer.style === 'tensorflow' ? 'cannot be written as plain TensorFlow' : 'has no graph code';
  const paragraphs = [`${answer.function} ${what}.`, `Line ${refused.line + 1}: ${capitalised(refused.message)}.`];
  if (answer.style === 'tensorflow') {
    paragraphs.push("Graphwright's own style may still work: the arrows in this editor's title switch to it.");
  }
  const said = comment(paragraphs);
  const reason = comment(paragraphs.slice(0, 1)).split('\n').length;
  const lines = said
    .trimEnd()
    .split('\n')
    .map((_, line) => (line >= reason ? refused.line : -1));
  return { text: said, lines, span: spanOf(answer), isOld: false };
}

export const NO_FUNCTION = hint(
  'Put the cursor in a function of a Python file to see its graph code here.',
  'The code updates as you type. Graphwright does not run your code.',
);
export const NOT_RUNNING = hint(
  "Graphwright's server isn't running, so there is nothing to show.",
  'The command "Graphwright: Restart Server" starts it; "Graphwright: Show Output" shows why it stopped.',
);

function hint(...paragraphs: string[]): Content {
  const text = comment(paragraphs);
  return { text, lines: text.split('\n').map(() => -1), span: { start: 0, end: -1 }, isOld: false };
}

function spanOf({ range }: Answer): Content['span'] {
  return { start: range.start.line, end: range.end.line };
}

function comment(paragraphs: readonly string[]): string {
  return `${paragraphs.map(wrapped).join('\n#\n')}\n`;
}

function wrapped(paragraph: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of paragraph.split(/\s+/)) {
    if (line.length + 1 + word.length > WIDTH && line !== '#') {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
