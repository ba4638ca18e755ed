import { expect, test } from 'vitest';
import { redrawVoided } from '../../../src/features/workspaces/redraw-voided.ts';
import { createLogger } from '../../../src/logger.ts';

const voided = ['1', '2', '3'].map((id) => ({ teamId: 'T1', id }));

test('redraws one after the other, and one that fails keeps none of the others from it', async () => {
  const logged: string[] = [];
  const steps: string[] = [];
  await redrawVoided(voided, {
    log: createLogger('trace', { write: (line) => void logged.push(line) }),
    redrawApproval: async ({ id }) => {
      steps.push(`begin ${id}`);
      await Promise.resolve();
      steps.push(`end ${id}`);
      if (id === '2') throw new Error('the row was not readable');
    },
  });
  expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({
    approvalId: '2',
    err: { message: 'the row was not readable' },
  });
});
