import { expect, it } from 'vitest';
import { csvLine } from '../../src/admin/export-audit.ts';

it('quotes separators, quotes and line breaks', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', { a: 1 }, null, 7, true])).toBe(
    '"a,b","say ""hi""","two\nlines","{""a"":1}",,7,true\r\n',
  );
});

it.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', ' =1', '＝1'])(
  'exports %j as text, not as a formula',
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`);
  },
);

it('leaves numbers alone', () => {
  expect(csvLine([-5, 'a=b'])).toBe('-5,a=b\r\n');
});
