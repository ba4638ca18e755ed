import type { Backup } from '../../../src/dataprotection/resources/backups.ts';
import type { Environment } from '../../../src/dataprotection/resources/environments.ts';
import type { Volume } from '../../../src/dataprotection/resources/volumes.ts';
import {
  backupListMessage,
  dayModal,
} from '../../../src/features/restores/views/backup-list-message.ts';
import { maxSearchLength } from '../../../src/features/restores/views/ids.ts';
import { restoreModal } from '../../../src/features/restores/views/restore-form.ts';
import {
  volumeGoneMessage,
  volumeListMessage,
} from '../../../src/features/restores/views/volume-list-message.ts';
import { refusalWarning } from '../../../src/requests/views/requested-message.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { channelId, sampleNow } from '../sample-place.ts';
import type { Samples } from '../samples.ts';

/** Every message and form about volumes and their backups. */
export function everyRestoreView(samples: Samples): Record<string, unknown[]> {
  const { word, typed } = samples;
  const volume: Volume = {
    id: 'v1',
    name: word,
    volumeNativeId: 'vol-0a1b2c3d4e5f60718',
    accountNativeId: '210987654321',
    awsRegion: 'us-east-1',
    awsAz: 'us-east-1b',
    environmentId: 'e1',
    size: 500 * 1024 ** 3,
    type: 'gp3',
    iops: 6000,
    isDeleted: true,
    lastBackupTimestamp: '2026-11-21T03:00:00Z',
    tags: [{ key: 'Name', value: word }],
    otherFields: {},
  };
  const backup: Backup = {
    id: 'b1',
    volumeId: 'v1',
    volumeNativeId: volume.volumeNativeId ?? '',
    startTimestamp: '2026-11-21T03:00:00Z',
    expirationTimestamp: '2026-12-21T03:00:00Z',
    size: 500,
    accountNativeId: '210987654321',
    awsRegion: 'us-east-1',
    awsAz: 'us-east-1b',
    isEncrypted: true,
    kmsKeyNativeId: '1234abcd-12ab-34cd-56ef-1234567890ab',
    tags: [
      { key: 'Name', value: word },
      { key: 'notes', value: typed },
    ],
    type: 'clumio_backup',
    volumeType: 'gp3',
    iops: 6000,
    otherFields: {},
  };
  const home: Environment = {
    id: 'e1',
    accountName: word,
    accountNativeId: '210987654321',
    awsRegion: 'us-east-1',
    awsAz: ['us-east-1a', 'us-east-1b'],
    connectionStatus: 'connected',
    servicesEnabled: ['ebs'],
    otherFields: {},
  };
  const unnamed: Volume = { id: typed, otherFields: {} };
  const unusual: Backup = {
    ...backup,
    id: 'b2',
    type: 'aws_snapshot',
    volumeType: word,
    startTimestamp: typed,
    expirationTimestamp: '2026-11-20T03:00:00Z',
  };
  const page = { volume, now: sampleNow, canRestore: true };
  const volumes = Array.from({ length: 12 }, () => volume);
  const many = Array.from({ length: 120 }, (_, index) => ({
    ...home,
    id: `e${index}`,
    awsRegion: `us-east-${index}`,
  }));
  return {
    volumeListMessage: [
      volumeListMessage(
        { text: typed.slice(0, maxSearchLength), start: 10 },
        { volumes, isComplete: false },
      ),
      volumeListMessage({ text: word.slice(0, 90), start: 0 }, { volumes, isComplete: true }),
      volumeListMessage({ text: '', start: 0 }, { volumes: [volume, unnamed], isComplete: true }),
      ...[undefined, { id: 'p1', name: word }].map((policy) =>
        volumeListMessage({ text: '', start: 0, policy }, { volumes: [], isComplete: true }),
      ),
      volumeListMessage(
        { text: '', start: 0, policy: { id: 'p1', name: typed.slice(0, 200) }, day: '2026-11-21' },
        { volumes: [volume], isComplete: true },
      ),
      volumeListMessage(
        { text: typed.slice(0, maxSearchLength), start: 0 },
        { volumes: [], isComplete: true },
      ),
    ],
    volumeGoneMessage: [volumeGoneMessage(typed)],
    backupListMessage: [
      backupListMessage(
        { volumeId: 'v1', start: 10, channelId },
        { ...page, backups: [backup, unusual], total: 30 },
      ),
      backupListMessage(
        { volumeId: 'v1', start: 0 },
        { ...page, backups: [backup], total: 1, canRestore: false },
      ),
      ...[undefined, '2026-11-21'].map((day) =>
        backupListMessage({ volumeId: 'v1', start: 0, day }, { ...page, backups: [], total: 0 }),
      ),
    ],
    dayModal: [dayModal({ volumeId: 'v1', start: 10, channelId, day: '2026-11-21' })],
    restoreModal: [
      restoreModal(
        { volume, backup, environments: [home] },
        { now: sampleNow, channelId, mayBreakGlass: true },
      ),
      restoreModal(
        { volume: unnamed, backup: unusual, environments: [home] },
        {
          now: sampleNow,
          channelId,
          warning: refusalWarning({ result: 'no_approver', reasons: [safe(typed, 200)] }),
        },
      ),
      restoreModal(
        { volume, backup: { ...backup, awsRegion: word }, environments: many },
        { now: sampleNow, channelId },
      ),
    ],
  };
}
