import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison, counted, duration, graphSize } from '../src/report.ts';

test('a time is told in the unit that suits it, with three digits at most', () => {
  assert.equal(duration(90), '90 s');
  assert.equal(duration(123.4), '123 s');
  assert.equal(duration(1), '1 s');
  assert.equal(duration(0.9996), '1000 ms');
  assert.equal(duration(0.01234), '12.3 ms');
  assert.equal(duration(0.000_001_5), '1.5 µs');
  assert.equal(duration(0), '0 µs');
});

test('one of a thing is told in the singular', () => {
  assert.equal(counted(1, 'trace'), '1 trace');
  assert.equal(counted(0, 'trace'), '0 traces');
  assert.equal(counted(12_345, 'operation'), '12,345 operations');
});

test('a graph is told by its operations and its size', () => {
  const operations = [
    { type: 'Mul', count: 1200 },
    { type: 'AddV2', count: 34 },
  ];
  assert.equal(graphSize({ operations, size: 6740 }), '1,234 operations, 6.7 kB');
  assert.equal(graphSize({ operations: [{ type: 'Mul', count: 1 }], size: 12_345_678 }), '1 operation, 12.3 MB');
});

test('a graph is compared with eager code in plain numbers', () => {
  assert.deepEqual(comparison(0.09, 0.0006, 0.111), {
    verdict: '150.0 times as fast as eager code',
    note: 'The first call took 111 ms because it traced, which pays off after 1 call.',
  });
  assert.deepEqual(comparison(0.001, 0.00098, 0.05).verdict, 'As fast as eager code');
  assert.deepEqual(comparison(0.000_1, 0.012_5, 0.05), {
    verdict: '125.0 times slower than eager code',
    note: 'The first call took 50 ms because it traced.',
  });
});
