import { expect, it } from 'vitest';
import { createPlainLogger } from '../../playground/plain-log.ts';

it('prints warnings and errors of the bot as plain lines, and nothing else', () => {
  const lines: string[] = [];
  const log = createPlainLogger((line) => void lines.push(line)).child({ replica: 'r1' });
  log.info('Belay is ready');
  log.warn({ teamId: 'T1' }, 'some admins may not be notified');
  log.error({ err: new Error('connection lost') }, 'a repeated job failed');
  expect(lines).toEqual([
    'Belay: some admins may not be notified\n',
    'Belay: a repeated job failed: connection lost\n',
  ]);
});
