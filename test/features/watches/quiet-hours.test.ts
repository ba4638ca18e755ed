import { expect, it } from 'vitest';
import { readQuietHours } from '../../../src/features/watches/quiet-hours.ts';

it.each([undefined, 'Mars/Base'])('reads quiet hours in UTC if the time zone is %s', (zone) => {
  const read = readQuietHours('22:00-07:00', zone);
  expect(read).toEqual({ from: '22:00', to: '07:00', timeZone: 'Etc/UTC' });
});
