import { expect, it } from 'vitest';
import * as errors from '../src/dataprotection/http/errors.ts';
import { describeCause, describeFailure } from '../src/describe-failure.ts';
import { NotLoggedError } from '../src/features/alerts/change-alerts.ts';

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
  expect(changed).toContain('The change may have been made.');
});

it("says that nothing was changed if the audit log can't be written", () => {
  const answer = describeFailure(new NotLoggedError(new Error('no database')));
  expect(answer).toContain("couldn't write to its audit log");
  expect(answer).toContain('Nothing was changed. Try again in a minute.');
});

it('mentions a reference only where one is given', () => {
  const fault = new TypeError('a fault of Belay');
  expect(describeFailure(fault)).toContain('look up the reference');
  expect(describeCause(fault)).toBe(
    "Something went wrong in Belay. Your Belay administrator can find the cause in Belay's log.",
  );
});
