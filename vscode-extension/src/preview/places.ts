// Where the place that the preview follows is: on which generated line, inside which function, and where edits push it.
// It asks nobody and shows nothing.
import type { Answer, Content, Place } from './content';

/** What an edit put in the place of some lines. */
export interface Change {
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly text: string;
}

/** The line that something came of, at the caret or the nearest above: `else:` and a comment leave nothing behind. */
export function nearest(content: Content, caret: number): number {
  const { start, end } = content.span;
  return start <= caret && caret <= end ? Math.max(-1, ...content.lines.filter((from) => from <= caret)) : -1;
}

export function isInside(answer: Answer, position: Pick<Place, 'line'>): boolean {
  return answer.range.start.line <= position.line && position.line <= answer.range.end.line;
}

/** The place after edits: those that end above its line push it down or pull it up. */
export function moved(place: Place, changes: readonly Change[]): Place {
  let { line } = place;
  for (const { range, text } of changes) {
    if (range.end.line < line) {
      const by = text.split('\n').length - 1 - (range.end.line - range.start.line);
      line = Math.max(line + by, 0);
    }
  }
  return { ...place, line };
}
