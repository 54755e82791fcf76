import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, code, NO_FUNCTION, NOT_RUNNING, refusal } from '../src/preview/content.ts';

const ANSWER: Answer = {
  function: 'step',
  style: 'graphwright',
  version: 3,
  range: { start: { line: 4, character: 0 }, end: { line: 7, character: 12 } },
  text: 'def step(x):\n    return x\n',
  lines: [4, 7],
  refused: null,
};
const REFUSED: Answer = {
  ...ANSWER,
  text: '',
  lines: [],
  refused: { message: 'it is a generator', line: 5, halfTyped: false },
};

test('the code stands below a line that tells whose it is, and one for a note', () => {
  const content = code(ANSWER);
  assert.equal(content.text, '# step, as Graphwright converts it\n\ndef step(x):\n    return x\n');
  assert.deepEqual(content.lines, [-1, -1, 4, 7]);
  assert.deepEqual(content.span, { start: 4, end: 7 });
  assert.equal(content.isOld, false);
});

test('old code says why it is old, on the same lines', () => {
  const content = code({ ...ANSWER, style: 'tensorflow' }, "line 6 can't be parsed yet");
  assert.equal(content.text.split('\n')[0], '# step, as plain TensorFlow');
  assert.equal(content.text.split('\n')[1], "# As it was: line 6 can't be parsed yet.");
  assert.deepEqual(content.lines, code(ANSWER).lines);
  assert.equal(content.isOld, true);
});

test('a refusal leads to the line that it is about', () => {
  const content = refusal(REFUSED);
  const lines = content.text.trimEnd().split('\n');
  assert.deepEqual(lines, ['# step has no graph code.', '#', '# Line 6: It is a generator.']);
  assert.deepEqual(content.lines, [-1, -1, 5]);
});

test('a refusal of one style points to the other', () => {
  const content = refusal({ ...REFUSED, style: 'tensorflow' });
  assert.match(content.text, /cannot be written as plain TensorFlow/);
  assert.match(content.text, /own style may still work/);
});

test('all that is said fits into half a window, as comments', () => {
  const long = refusal({
    ...REFUSED,
    refused: { message: 'one word after another '.repeat(12), line: 5, halfTyped: false },
  });
  for (const { text, lines } of [long, NO_FUNCTION, NOT_RUNNING]) {
    for (const line of text.trimEnd().split('\n')) {
      assert.match(line, /^#/);
      assert.ok(line.length <= 52, line);
    }
    assert.ok(lines.length >= text.trimEnd().split('\n').length);
  }
});
