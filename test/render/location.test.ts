import { expect, test } from 'vitest';
import { below, fileOf, fileUri, shortPath } from '../../src/show/render/location.ts';
import { episode, invalidJson } from './reports.ts';

test.each([
  ['/a/b', '/a', 'b'],
  ['/a', '/', 'a'],
  ['/a/', '/a', '.'],
  ['/ab', '/a', undefined],
  ['C:\\a\\b', 'C:/a', 'b'],
])('%s as it is seen from %s', (path, base, seen) => {
  expect(below(path, base)).toBe(seen);
  expect(shortPath(path, base)).toBe(seen ?? path);
  expect(shortPath(path, undefined)).toBe(path);
});

test.each([
  ['/eps/ep_1', 'events.jsonl', '/eps/ep_1/events.jsonl'],
  ['/eps/log.jsonl', 'log.jsonl', '/eps/log.jsonl'],
  ['/eps/log.jsonl', 'log.state.json', '/eps/log.state.json'],
  ['/', 'events.jsonl', '/events.jsonl'],
  ['/eps/ep_1', '../etc/passwd', '/eps/ep_1'],
  ['/eps/ep_1', '/etc/passwd', '/eps/ep_1'],
  ['-', 'events.jsonl', '-'],
])('of an episode at %s the file %s', (path, file, whole) => {
  expect(fileOf(episode('ep_1', [], { path }), { ...invalidJson, file })).toBe(whole);
});

test.each([
  ['/a b/c', 'file:///a%20b/c'],
  ['C:\\a\\b', 'file:///C:/a/b'],
  ['\\\\host\\a', 'file://host/a'],
  ['/\ud800', 'file:///%EF%BF%BD'],
])('the address of %s', (path, uri) => {
  expect(fileUri(path)).toBe(uri);
});
