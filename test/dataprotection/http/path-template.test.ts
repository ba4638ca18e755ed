import { expect, it } from 'vitest';
import { liveRules } from '../../../src/dataprotection/dialects/live.ts';
import { pathTemplate } from '../../../src/dataprotection/http/request-path.ts';

const base = 'https://eu.api.example/v1/';

it.each([
  ['/v1/users', '/users'],
  ['/v1/users/u-1', '/users/{id}'],
  ['/v1/users?filter=ana%40example.com', '/users'],
  ['/v1/alerts/individual/a%2Fb', '/alerts/individual/{id}'],
  [
    '/v1/policies/definitions/p-1/stats/compliance/aws/ebs-volumes',
    '/policies/definitions/{id}/stats/compliance/aws/ebs-volumes',
  ],
  ['/v1/', '/'],
  ['/v1/something/new', '/{id}/{id}'],
])('shows %s as %s', (path, template) => {
  expect(pathTemplate(base, path)).toBe(template);
});

it.each(Object.values(liveRules.operations))('shows all words of $href', ({ href }) => {
  const path = href.replaceAll(/\{\w+\}/g, 'some-id');
  expect(pathTemplate(base, `/v1${path}`)).toBe(href.replaceAll(/\{\w+\}/g, '{id}'));
});
