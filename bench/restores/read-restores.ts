import { z } from 'zod';
import type { ReceivedRequest } from '../../playground/service/portal/portal-server.ts';
import { requestTagKey } from '../../src/features/restores/check-target.ts';
import { restorePayload } from '../../src/features/restores/stored-restore.ts';
import { checkKnownCopies } from '../chaos/check-chaos.ts';
import { checkMessage } from '../replicas/check-message.ts';
import { type ReadApproval, readApprovals, readLog } from '../replicas/read-approvals.ts';
import { readCopies } from '../replicas/read-copies.ts';
import { checkRestore } from './check-restore.ts';
import type { RestoresSetup } from './kill-restores.ts';

const sentBody = z.object({
  target: z.object({ tags: z.array(z.object({ key: z.string(), value: z.string() })) }),
});

/** Compares each request with what the service got and made, the audit log, and Slack. */
export async function checkRestores(
  { db, testBed }: RestoresSetup,
  writes: Iterable<ReceivedRequest>,
): Promise<{ approvals: ReadApproval[]; posts: number; volumes: number; violations: string[] }> {
  const { service, portal, slack } = testBed;
  const approvals = await readApprovals(db);
  const entries = Map.groupBy(await readLog(db), (row) => row.approval_id);
  const posts = Map.groupBy(
    [...writes].filter(({ path }) => path.startsWith('/restores/')),
    ({ body }) => tagOf(sentBody.parse(JSON.parse(body)).target.tags),
  );
  const volumes = Map.groupBy(service.volumes(portal.id), ({ tags }) => tagOf(tags));
  volumes.delete(undefined);
  const seen = readCopies(slack);
  const ids = new Set(approvals.map(({ id }) => id));
  const violations = [...new Set([...posts.keys(), ...volumes.keys()])]
    .filter((id) => !ids.has(id ?? ''))
    .map((id) => `the service got or made something for ${id}, which is no request`);
  for (const approval of approvals) {
    const { id, state, channelId, messageTs = '', payload } = approval;
    const { expiresAt } = restorePayload.parse(payload).backup;
    const own = entries.get(id) ?? [];
    const record = {
      state,
      text: seen.at(channelId, messageTs)?.text ?? '',
      events: own.map(({ event }) => event),
      posts: posts.get(id)?.length ?? 0,
      volumes: (volumes.get(id) ?? []).map((volume) => volume.volume_native_id),
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      startedAt: own.findLast(({ event }) => event === 'started')?.at,
    };
    const faults = [...checkRestore(record), ...checkKnownCopies(approval, seen)];
    violations.push(...faults.map((fault) => `${id}: ${fault}`));
  }
  const count = (all: Map<string | undefined, unknown[]>) => [...all.values()].flat().length;
  return { approvals, posts: count(posts), volumes: count(volumes), violations };
}

function tagOf(tags: readonly { key: string; value: string }[]): string | undefined {
  return tags.find(({ key }) => key === requestTagKey)?.value;
}

/** Where a message in the channel doesn't say what is going on: its requester hears of the end only. */
export async function checkUnderWay({ db, testBed }: RestoresSetup): Promise<string[]> {
  const seen = readCopies(testBed.slack);
  return (await readApprovals(db)).flatMap((approval) =>
    checkMessage(approval, seen.at(approval.channelId, approval.messageTs ?? '')).map(
      (fault) => `${approval.id}: its message, days before the end, ${fault}`,
    ),
  );
}
