import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mistakeIn } from '../src/mistakes.ts';

test('what may be right is left alone', () => {
  for (const text of [
    '',
    'x=tf.TensorSpec([None, 3], tf.float32), n=2',
    "{'a)': (1, [2])}",
    "\"it's\", '\\''",
    '1.5',
  ]) {
    assert.equal(mistakeIn(text), undefined, text);
  }
});

test('brackets are counted, those in strings are not', () => {
  assert.equal(mistakeIn('f(1'), 'Missing ).');
  assert.equal(mistakeIn('[(1]'), 'Unmatched ].');
  assert.equal(mistakeIn('1)'), 'Unmatched ).');
  assert.equal(mistakeIn("'(' + [2"), 'Missing ].');
});

test('an unterminated string is reported', () => {
  assert.equal(mistakeIn("x='a"), 'Unterminated string.');
  assert.equal(mistakeIn('"'), 'Unterminated string.');
});

test('dots stand for a value that is still to be written', () => {
  assert.equal(mistakeIn('x=...'), 'Replace ... with a value.');
  assert.equal(mistakeIn("x='...'"), undefined);
});
