import { expect, it } from 'vitest';
import * as errors from '../../src/dataprotection/http/errors.ts';
import { NotLoggedError } from '../../src/features/alerts/index.ts';
import { describeCause, describeFailure } from '../../src/features/describe-failure.ts';

const unknown = describeFailure(
  new errors.ServiceError('what', { request: 'GET /x', mayHaveActed: false }),
);
const kinds = Object.values(errors).filter((kind) => kind !== errors.ServiceError);

it.each(kinds.map((kind) => [kind.name, kind] as const))('has its own text for %s', (_, Kind) => {
  const facts = { request: 'PUT /x', serviceMessage: 'Locked <!channel>' };
  const unchanged = describeFailure(new Kind('what', { ...facts, mayHaveActed: false }));
  expect(unchanged).not.toBe(unknown);
  expect(unchanged).toContain('Nothing was changed.');
  expect(unchanged).not.toContain('<!channel>');
  const changed = describeFailure(new Kind('what', { ...facts, mayHaveActed: true }));
  expect(changed).toContain('It is not known whether the change was made');
});

it("says that nothing was changed if the audit log can't be written", () => {
  const told = describeFailure(new NotLoggedError(new Error('no database')));
  expect(told).toContain('could not write this to its decision log');
  expect(told).toContain('Nothing was changed. Please try again in a minute.');
});

it('mentions a reference only where one is given', () => {
  const fault = new TypeError('a fault of Belay');
  expect(describeFailure(fault)).toContain('with the reference');
  expect(describeCause(fault)).toBe(
    'Something went wrong in Belay itself. Whoever runs Belay finds it in its log.',
  );
});
