import { expect, it } from 'vitest';
import { builtInRegions, portalUrl } from '../../src/dataprotection/region.ts';

it.each([
  ['lab.portal.example.com', 'https://lab.portal.example.com/'],
  ['https://portal.example.com/app', 'https://portal.example.com/app'],
  ['west.portal.example.com (or portal.example.com)', 'https://west.portal.example.com/'],
  ['portal.example.com:8443', 'https://portal.example.com:8443/'],
  ['the portal of the lab', undefined],
  ['localhost', undefined],
  ['http://portal.example.com', undefined],
  ['ops@portal.example.com', undefined],
  ['https://ops:secret@portal.example.com', undefined],
  ['portal.example.com|Approve>', undefined],
])('the address of the portal %j is %s', (portal, url) => {
  expect(portalUrl({ portal })).toBe(url);
});

it('every built-in region has the address of its portal', () => {
  expect(builtInRegions.map(portalUrl)).not.toContain(undefined);
});
