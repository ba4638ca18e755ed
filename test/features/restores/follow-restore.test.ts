import { addMinutes } from 'date-fns/addMinutes';
import { expect, it } from 'vitest';
import { createServiceClient } from '../../../src/dataprotection/client.ts';
import {
  restoreRequestBody,
  restoreVolume,
} from '../../../src/dataprotection/resources/restores.ts';
import { followRestore } from '../../../src/features/restores/index.ts';
import {
  fastRetries,
  openTransport,
  requestsPerSecond,
} from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { firstOf } from '../../playground/service/call-portal.ts';

const tag = { key: 'belay-request', value: 'r1' };

/** A restore whose task is complete, to the environment of the volume. */
async function restore() {
  const dialect = 'live';
  const { service, portal } = await openReference({ dialect, taskTimings: { delayMs: 0 } });
  const { baseUrl, token } = portal;
  // Less than a look takes at most, so that one call of it ends early.
  const options = { ...fastRetries, timeoutMs: 2000 };
  const connection = { baseUrl, token, dialect, requestsPerSecond } as const;
  const client = createServiceClient(connection, openTransport(), options);
  const backup = firstOf(
    service.backups(portal.id).filter((one) => one.type === 'clumio_backup' && !one.is_encrypted),
  );
  const volume = firstOf(service.volumes(portal.id).filter(({ id }) => id === backup.volume_id));
  const environmentId = volume.environment_id;
  const target = { environmentId, awsAz: volume.aws_az, type: 'gp3', tags: [tag] };
  const at = new Date();
  const body = JSON.stringify(restoreRequestBody(backup.id, target));
  const taskId = await restoreVolume(client, body);
  return {
    service,
    follow: (minutes: number) =>
      followRestore({
        client,
        now: addMinutes(at, minutes),
        volumeId: volume.id,
        environmentId,
        tag,
        sent: { at, taskId },
      }),
  };
}

it('is done once its task is, even if listing the volumes takes too long', async () => {
  const { service, follow } = await restore();
  service.setFault({ kind: 'hang' }, { pathPrefix: '/datasources/aws/ebs-volumes' });
  expect(await follow(1)).toMatchObject({
    state: 'in-progress',
    words: expect.stringMatching(/is complete\. Belay is looking for the new volume\.$/),
  });
  expect(await follow(20)).toMatchObject({
    state: 'done',
    words: "Belay didn't find the new volume. Look for the tag `belay-request=r1`.",
  });
  service.setFault(undefined);
  expect(await follow(20)).toMatchObject({ state: 'done', createdId: expect.any(String) });
});
