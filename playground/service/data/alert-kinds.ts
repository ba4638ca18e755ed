import type { NonEmpty } from './random.ts';

export type AlertKind = {
  type: string;
  cause: string;
  severity: 'error' | 'warning';
  entityType: string;
  display: { type: string; cause: string; description: string };
};

const missingPermissions: AlertKind = {
  type: 'restore_failed',
  cause: 'insufficient_permissions',
  severity: 'error',
  entityType: 'aws_ebs_volume',
  display: {
    type: 'Restore failed',
    cause: 'Missing permissions',
    description: 'The role may not create volumes in the target account. Update it and retry.',
  },
};

export const alertKinds: NonEmpty<AlertKind> = [
  {
    type: 'policy_violated',
    cause: 'backup_window_missed',
    severity: 'warning',
    entityType: 'aws_ebs_volume',
    display: {
      type: 'Policy violated',
      cause: 'Backup window missed',
      description: 'No backup finished inside the window. Widen the window or start one by hand.',
    },
  },
  {
    type: 'policy_violated',
    cause: 'backup_failed',
    severity: 'error',
    entityType: 'aws_ebs_volume',
    display: {
      type: 'Policy violated',
      cause: 'Backup failed',
      description: 'The last backup failed. Check that the volume still exists, then retry.',
    },
  },
  missingPermissions,
  {
    type: 'file_restore_failed',
    cause: 'path_not_found',
    severity: 'warning',
    entityType: 'vmware_vm',
    display: {
      type: 'File restore failed',
      cause: 'Path not found',
      description: 'The backup does not hold the path. Pick an earlier backup.',
    },
  },
  {
    type: 'tag_conflict',
    cause: 'two_policies_match',
    severity: 'warning',
    entityType: 'aws_ebs_volume',
    display: {
      type: 'Tag conflict',
      cause: 'Two policies match',
      description: 'Two tags claim the same volume. Remove one of them.',
    },
  },
  {
    type: 'aws_account_disconnected',
    cause: 'role_deleted',
    severity: 'error',
    entityType: 'aws_account',
    display: {
      type: 'AWS account disconnected',
      cause: 'Role deleted',
      description: 'The service can no longer enter the account. Reconnect it.',
    },
  },
  {
    type: 'enc_key_inaccessible',
    cause: 'key_disabled',
    severity: 'error',
    entityType: 'aws_ebs_volume',
    display: {
      type: 'Encryption key inaccessible',
      cause: 'Key disabled',
      description: 'The key is disabled, so new backups cannot be written. Enable it.',
    },
  },
];

/** Why a restore failed. Not among `alertKinds`, which the sample alerts are picked from. */
export const restoreFailures = {
  missingPermissions,
  unknownKey: {
    ...missingPermissions,
    cause: 'kms_key_not_found',
    display: {
      type: 'Restore failed',
      cause: 'KMS key not found',
      description: 'The target account has no such key in that region. Choose another key.',
    },
  },
  /** The public service is known to say no more when AWS refuses the settings of the volume. */
  unexplained: {
    ...missingPermissions,
    cause: 'internal_error',
    display: {
      type: 'Restore failed',
      cause: 'Internal error',
      description: 'The restore failed.',
    },
  },
} satisfies Record<string, AlertKind>;
