import type { ServiceClient } from '../../dataprotection/client.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { readBackup } from '../../dataprotection/resources/backups.ts';
import { readEnvironments } from '../../dataprotection/resources/environments.ts';
import { restoreRequestBody } from '../../dataprotection/resources/restores.ts';
import type { ActionDefinition } from '../../requests/action.ts';
import { type ActionEntries, defineAction, openSameService } from '../../requests/define-action.ts';
import { fitsRequestBody, formatRequestBody } from '../../requests/views/request-body-modal.ts';
import { bold, code, safeName, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { requestTagKey } from './check-target.ts';
import { restoreStep } from './restore-step.ts';
import {
  leavesHome,
  type RestorePayload,
  type RestoreSnapshot,
  type RestoreSubject,
  restorePayload,
  restoreSnapshot,
  snapshotBackup,
  snapshotTarget,
} from './stored-restore.ts';
import { formatConsequences, formatExpiry } from './views/format-restore.ts';
import { formButton, restoreActionId, viewButton } from './views/ids.ts';

const readMs = 15_000;

const restore: ActionDefinition<RestorePayload, RestoreSnapshot, RestoreSubject> = {
  name: restoreActionId,
  payload: restorePayload,
  personalFields: { removed: [], replaced: [] },
  snapshot: restoreSnapshot,
  describe(payload, { id }) {
    const { volume, backup, to, target } = payload;
    const body = formatRequestBody(bodyOf(payload, id));
    const lines = formatConsequences(payload);
    return {
      subjectId: volume.id,
      summary: `restore volume ${bold(volume.name, 120)} to a new volume in ${safeName(target.awsAz, 30)}, account ${safeName(to.accountName ?? to.account, 60)}`,
      audited: { subject: volume.name, changes: stripMarkup(lines.join('\n')) },
      details: [...formatExpiry(backup.expiresAt), { label: 'Backup ID', value: code(backup.id) }],
      changes: () => [lines.join('\n')],
      requiredApprovals: ({ restoreApprovals }) => (leavesHome(payload) ? restoreApprovals : 1),
      consequence: () =>
        leavesHome(payload)
          ? 'The data leaves its account, region or encryption key.'
          : 'The data stays in its account and region, with its encryption key.',
      style: 'primary',
      steps: [restoreStep(payload, body, id)],
      isShownExactly: (seen) => isAsShown(payload, seen) && fitsRequestBody(body),
      requestBody: body,
      requestAgain: formButton('Request again…', { backupId: backup.id }),
      view: viewButton(volume.id),
      open: openSameService,
      readSubject: (client, now) => readSubject(client, payload, now),
      snapshotOf: ({ backup: found, environment, now }) => ({
        backup: found ? snapshotBackup(found, now) : null,
        target: environment ? snapshotTarget(environment, target.awsAz) : null,
      }),
      differences: describeDrift,
    };
  },
};

/** What may be restored, only after approval. */
export const restoreActions = {
  'volumes.restore': defineAction(restore),
} satisfies Partial<ActionEntries>;

/** What the request sends. Before it is stored, its id is not known. */
function bodyOf({ backup, target }: RestorePayload, requestId = '(ID of the request)') {
  const tags = [...target.tags, { key: requestTagKey, value: requestId }];
  return restoreRequestBody(backup.id, { ...target, tags });
}

/** The card and the number of approvals rest on these copies of what was read. */
function isAsShown(
  { volume, backup, from, to }: RestorePayload,
  { backup: seen, target }: RestoreSnapshot,
): boolean {
  return (
    seen !== null &&
    target !== null &&
    seen.id === backup.id &&
    seen.volumeId === volume.id &&
    seen.startedAt === backup.startedAt &&
    seen.account === from.account &&
    seen.region === from.region &&
    seen.key === (from.key ?? null) &&
    target.account === to.account &&
    target.region === to.region
  );
}

/** @throws {ServiceError} */
async function readSubject(
  client: ServiceClient,
  { backup, target }: RestorePayload,
  now: Date,
): Promise<RestoreSubject> {
  const signal = AbortSignal.timeout(readMs);
  const [found, environments] = await Promise.all([
    undefinedIfGone(readBackup(client, backup.id, { signal })),
    readEnvironments(client, { signal }),
  ]);
  const environment = environments.find(({ id }) => id === target.environmentId);
  return { client, backup: found, environment, now };
}

function describeDrift(before: RestoreSnapshot, after: RestoreSnapshot): string[] {
  const { backup, target } = after;
  if (!backup) return ['The backup no longer exists.'];
  if (backup.isExpired) return ['The backup has expired.'];
  if (!target) return ['The target environment no longer exists.'];
  if (!target.isAvailable) return ['The target environment is no longer connected for EBS.'];
  if (!target.hasZone) return ['The target environment no longer has this zone.'];
  const isSameTarget = JSON.stringify(target) === JSON.stringify(before.target);
  return [isSameTarget ? 'The backup changed.' : 'The target environment changed.'];
}
