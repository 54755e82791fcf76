import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Content } from '../src/preview/content.ts';
import { isInside, moved, nearest } from '../src/preview/places.ts';

const CONTENT: Content = { text: '', lines: [-1, -1, 4, 5, 5, 8], span: { start: 4, end: 9 }, isOld: false };
const PLACE = { line: 10, character: 3 };

function edit(start: number, end: number, text: string) {
  return { range: { start: { line: start }, end: { line: end } }, text };
}

test('the nearest line that something came of is at the caret or above it', () => {
  assert.equal(nearest(CONTENT, 5), 5);
  assert.equal(nearest(CONTENT, 7), 5);
  assert.equal(nearest(CONTENT, 9), 8);
});

test('outside of the function nothing is near', () => {
  assert.equal(nearest(CONTENT, 3), -1);
  assert.equal(nearest(CONTENT, 10), -1);
});

test('a function reaches from its first line to its last', () => {
  const range = { start: { line: 4, character: 0 }, end: { line: 9, character: 2 } };
  const answer: Answer = { function: 'f', style: 'tensorflow', version: 1, range, text: '', lines: [], refused: null };
  assert.deepEqual(
    [3, 4, 9, 10].map((line) => isInside(answer, { line })),
    [false, true, true, false],
  );
});

test('edits above the place move it, others do not', () => {
  assert.deepEqual(moved(PLACE, [edit(2, 2, 'a\nb\n')]), { line: 12, character: 3 });
  assert.deepEqual(moved(PLACE, [edit(2, 5, '')]), { line: 7, character: 3 });
  assert.deepEqual(moved(PLACE, [edit(10, 10, '\n')]), PLACE);
  assert.deepEqual(moved(PLACE, [edit(12, 14, '')]), PLACE);
  assert.deepEqual(moved(PLACE, [edit(0, 1, ''), edit(0, 0, '\n\n')]), { line: 11, character: 3 });
});
