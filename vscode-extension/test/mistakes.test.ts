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
  assert.equal(mistakeIn('f(1'), 'A ) is missing.');
  assert.equal(mistakeIn('[(1]'), 'There is a ] too many.');
  assert.equal(mistakeIn('1)'), 'There is a ) too many.');
  assert.equal(mistakeIn("'(' + [2"), 'A ] is missing.');
});

test('a string that is not closed is told', () => {
  assert.equal(mistakeIn("x='a"), 'A string is not closed.');
  assert.equal(mistakeIn('"'), 'A string is not closed.');
});

test('dots stand for a value that is still to be written', () => {
  assert.equal(mistakeIn('x=...'), 'Write a value where the dots are.');
  assert.equal(mistakeIn("x='...'"), undefined);
});
