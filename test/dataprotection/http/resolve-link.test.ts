import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveLink } from '../../../src/dataprotection/http/request-path.ts';

const base = 'https://api.example.com';

it.each([
  ['/users?start=21', '/users?start=21'],
  ['users?start=21', '/users?start=21'],
  [`${base}/users`, '/users'],
  ['https://API.example.com:443/users', '/users'],
  ['/users/a%2Fb#part', '/users/a%2Fb'],
  ['/a?next=https://evil.example', '/a?next=https://evil.example'],
])('follows %s', (href, path) => {
  expect(resolveLink(base, href)).toBe(path);
});

it.each([
  'https://evil.example/users',
  'http://api.example.com/users',
  'https://api.example.com:8443/users',
  'https://api.example.com.evil.example/users',
  'https://user:secret@api.example.com/users',
  '//evil.example/users',
  '/\\evil.example/users',
  '\\\\evil.example',
  '/\t/evil.example',
  ' https://evil.example',
  'https:/\\evil.example',
  'javascript:alert(1)',
  'https://',
])('rejects %j', (href) => {
  expect(resolveLink(base, href)).toBeUndefined();
});

it.each([
  ['/users', '/api/users'],
  ['https://api.example.com/api/users', '/api/users'],
  ['/a/../b', undefined],
  ['/a/./b', undefined],
  ['/a%2E./b', '/api/a%2E./b'],
  ['/a?at=/../b', '/api/a?at=/../b'],
  ['/../users', undefined],
  ['/a/%2e%2E/../users', undefined],
  ['https://api.example.com/users', undefined],
  ['https://api.example.com/apis/users', undefined],
])('stays below the path of the base URL: %s', (href, path) => {
  expect(resolveLink(`${base}/api`, href)).toBe(path);
  expect(resolveLink(`${base}/api/`, href)).toBe(path);
});

it('returns only paths on the base origin', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    '//',
    'https:',
    'evil.example',
    '%2e',
  );
  const href = fc.oneof(
    fc.array(piece).map((pieces) => pieces.join('')),
    fc.string(),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(href, (text) => {
      const path = resolveLink(`${base}/api`, text);
      if (path === undefined) return;
      const url = new URL(base + path);
      expect(url.origin).toBe(base);
      expect(url.pathname.startsWith('/api/')).toBe(true);
    }),
  );
});
