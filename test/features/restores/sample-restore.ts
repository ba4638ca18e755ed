import type {
  RestorePayload,
  RestoreSnapshot,
} from '../../../src/features/restores/stored-restore.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import type { ApprovalState } from '../../../src/requests/approval-state.ts';
import { changeSample, sampleApproval } from '../../requests/sample-approval.ts';
import { people } from '../sample-place.ts';
import type { Samples } from '../samples.ts';

const states: ApprovalState[] = ['pending', 'running', 'completed', 'failed', 'outcome_unknown'];

/** Requests to restore a volume into another account, one of which somebody wants to be aborted. */
export function restoreRequests({ word, reason }: Samples): Approval[] {
  const at = new Date('2026-11-21T12:00:00Z');
  const key = '1234abcd-12ab-34cd-56ef-1234567890ab';
  const from = { account: '210987654321', region: 'us-east-1', key };
  const to = { account: '123456789012', accountName: word, region: 'eu-west-1' };
  const payload: RestorePayload = {
    volume: { id: 'v1', name: word, nativeId: 'vol-0a1b2c3d4e5f60718' },
    backup: {
      id: 'b1',
      startedAt: '2026-11-21T03:00:00Z',
      expiresAt: '2026-12-21T03:00:00Z',
      sizeInGb: 500,
    },
    newestAt: '2026-11-21T09:00:00Z',
    requestedAt: at.toISOString(),
    from,
    to,
    target: {
      environmentId: 'e2',
      awsAz: 'eu-west-1b',
      type: 'gp3',
      iops: 6000,
      kmsKeyNativeId: key.replace('1234', '5678'),
      tags: [{ key: 'Name', value: word }],
    },
  };
  const snapshot: RestoreSnapshot = {
    backup: {
      ...from,
      id: 'b1',
      volumeId: 'v1',
      startedAt: '2026-11-21T03:00:00Z',
      expiresAt: '2026-12-21T03:00:00Z',
      sizeInGb: 500,
      type: 'clumio_backup',
      isExpired: false,
    },
    target: { account: to.account, region: to.region, isAvailable: true, hasZone: true },
  };
  const stored = (state: ApprovalState, canceledBy?: string) =>
    changeSample(sampleApproval(), {
      action: 'volumes.restore',
      subjectId: 'v1',
      payload,
      snapshot,
      step: 'restore',
      reason,
      state,
      canceledBy,
      requiredApprovals: 2,
      ...(state !== 'pending' && {
        attempts: 1,
        sent: [{ step: 'restore', attempt: 1, taskId: '65' }],
        startedAt: at,
        decidedBy: people.ben,
        decidedAt: at,
        outcome: 'Task `65`: 50% complete.',
      }),
    });
  return [...states.map((state) => stored(state)), stored('running', people.ana)];
}
