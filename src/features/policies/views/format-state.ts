import type { Policy } from '../../../dataprotection/resources/policies.ts';

/** Whether backups run and whether the policy is being changed, which only the live dialect says. */
type PolicyState = { icon: string; words: string; short: string };

const activations = new Map<string, PolicyState>([
  ['activated', { icon: '✅', words: 'Activated', short: 'yes' }],
  ['deactivated', { icon: '⛔', words: 'Deactivated', short: 'no' }],
]);

const locks = new Map([
  ['updating', 'being changed'],
  ['deleting', 'being deleted'],
]);

/** The fields of a policy that `readActivation` and `readLock` say in words. */
export const stateFields = new Set(['activation_status', 'lock_status']);

/** Undefined if the service doesn't say. A word of the service's own is shown as it is. */
export function readActivation({ otherFields }: Policy): PolicyState | undefined {
  const status = otherFields.activation_status;
  if (typeof status !== 'string' || status === '') return undefined;
  return activations.get(status) ?? { icon: '❔', words: status, short: status };
}

/** "being changed"; undefined if the policy isn't locked, or the service doesn't say. */
export function readLock({ otherFields }: Policy): string | undefined {
  const status = otherFields.lock_status;
  if (typeof status !== 'string' || status === '' || status === 'unlocked') return undefined;
  return locks.get(status) ?? status;
}
