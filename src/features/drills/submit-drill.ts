import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Backup } from '../../dataprotection/resources/backups.ts';
import { type Environment, readEnvironments } from '../../dataprotection/resources/environments.ts';
import type { Volume } from '../../dataprotection/resources/volumes.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { notRequestedMessage } from '../../requests/views/request-fields.ts';
import { canPost } from '../../slack/api/channel.ts';
import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { bold, safe } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import { findPolicy, listAllPolicies } from '../compliance/index.ts';
import { readTimeZone, zoneError } from '../digests/index.ts';
import { findVolumes, snapshotTarget } from '../restores/index.ts';
import { leaves, listProtected, readNewest, toDrilled } from './choose-backup.ts';
import { type DrillPlan, drillPlan, maxVolumes } from './drill.ts';
import { drillActions } from './drill-action.ts';
import type { DrillStore } from './store/drill-store.ts';
import type { drillForm } from './views/drill-form.ts';

type Submission = SubmissionOf<typeof drillForm>;
type Dependencies = {
  approvals: Approvals;
  drills: Pick<DrillStore, 'add' | 'isAdded'>;
  clock: Clock;
};

/** Why no drill can be requested: mrkdwn. */
class InvalidDrillError extends Error {
  override name = 'InvalidDrillError';
}

/** Finds what was named, checks it with the newest backups as they are, and requests approval. */
export async function submitDrill(call: Submission, dependencies: Dependencies): Promise<Message> {
  const { approvals, drills, clock } = dependencies;
  const { teamId, enterpriseId, person, metadata, entered, viewId, slack } = call;
  const { channelId } = metadata;
  const { reason } = entered;
  const refuse = (why: string) => notRequestedMessage(`${why} No request was sent.`, reason);
  if (channelId === undefined) return refuse('Run `/belay drill` in a channel.');
  if (!(await canPost({ slack, channelId, person })))
    return refuse("Belay can't post here. Invite Belay with `/invite @Belay`.");
  const [service, settings] = await Promise.all([call.service(), call.settings()]);
  try {
    const { plan, environment } = await readPlan(service.client, entered, clock());
    const drillId = randomUUID();
    const target = {
      ...service,
      client: {
        service: service.client,
        isAdded: () => drills.isAdded({ teamId, id: drillId }),
        add: () => Promise.reject(new Error('a drill is added only after approval')),
      },
    };
    const subject = { target: snapshotTarget(environment, plan.target.awsAz), isAdded: false };
    const payload = { drillId, channelId, plan };
    return await approvals.request({
      teamId,
      enterpriseId,
      requester: person,
      prepared: drillActions['drills.add'].prepare(payload, subject, target),
      reason,
      channelId,
      viewId,
      isBreakGlass: false,
      settings,
      slack,
    });
  } catch (error) {
    if (error instanceof InvalidDrillError) return refuse(error.message);
    throw error;
  }
}

/** @throws {InvalidDrillError} @throws {ServiceError} */
async function readPlan(
  client: ServiceClient,
  entered: Submission['entered'],
  now: Date,
): Promise<{ plan: DrillPlan; environment: Environment }> {
  const { zone: awsAz, type = 'gp3', kmsKey, every, weekday, time } = entered;
  const zone = readTimeZone(entered.timeZone);
  if (!('timeZone' in zone)) throw new InvalidDrillError(safe(zoneError(zone)));
  const [environments, { source, volumes }] = await Promise.all([
    readEnvironments(client),
    readSource(client, entered),
  ]);
  const environment = environments.find(({ id }) => id === entered.environment);
  if (!environment) throw new InvalidDrillError('Choose an environment.');
  const { id, accountNativeId: account = '', accountName, awsRegion: region = '' } = environment;
  const kmsKeyNativeId = kmsKey === '' ? undefined : kmsKey;
  const target = { environmentId: id, account, accountName, region, awsAz, type, kmsKeyNativeId };
  const backups: Backup[] = [];
  const problems: string[] = [];
  await Promise.all(
    volumes.map(async (volume) => {
      const plan = { target, mayLeave: true };
      const newest = await readNewest(client, volume.id, plan, { environments, now });
      if ('backup' in newest) backups.push(newest.backup);
      else problems.push(`${bold(volume.name ?? volume.id, 120)}: ${newest.problem}`);
    }),
  );
  // Of a policy, other volumes may have what one lacks.
  const [problem] = problems;
  if (problem && ('volumes' in source || backups.length === 0))
    throw new InvalidDrillError(problem);
  const plan = drillPlan.safeParse({
    source,
    target,
    mayLeave: backups.some((backup) => leaves(backup, target)),
    schedule: { every, weekday: Number(weekday), time, timeZone: zone.timeZone },
  });
  if (!plan.success) throw new InvalidDrillError('Fill in every field.');
  return { plan: plan.data, environment };
}

type Source = { source: DrillPlan['source']; volumes: Volume[] };

/** The volumes that are named, or some of those of the policy. */
async function readSource(
  client: ServiceClient,
  { volumes: text, policy }: Submission['entered'],
): Promise<Source> {
  if ((text === '') === (policy === ''))
    throw new InvalidDrillError('Enter either volumes or a policy.');
  return text === '' ? readPolicySource(client, policy) : readVolumeSource(client, text);
}

async function readPolicySource(client: ServiceClient, typed: string): Promise<Source> {
  const policies = (await listAllPolicies(client, AbortSignal.timeout(8000))) ?? [];
  const named = policies.map(({ id, name }) => ({ id, name: name ?? id }));
  const found = findPolicy(named, typed);
  if (found.result !== 'found') {
    const which = found.result === 'several' ? 'Several policies match' : 'No policy matches';
    throw new InvalidDrillError(`${which} “${safe(typed, 100)}”.`);
  }
  const { policy } = found;
  const volumes = await listProtected(client, policy.id);
  if (volumes.length === 0)
    throw new InvalidDrillError(`The policy ${bold(policy.name, 120)} protects no volume.`);
  return { source: { policy }, volumes: volumes.slice(0, maxVolumes) };
}

async function readVolumeSource(client: ServiceClient, text: string): Promise<Source> {
  const lines = [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter(Boolean);
  if (lines.length > maxVolumes)
    throw new InvalidDrillError(
      `Enter at most ${maxVolumes} volumes. You entered ${lines.length}.`,
    );
  const each = await Promise.all(
    lines.map(async (line) => {
      const { volumes, isComplete } = await findVolumes(client, line);
      const shown = `“${safe(line, 100)}”`;
      if (volumes.length === 0) throw new InvalidDrillError(`No volume matches ${shown}.`);
      if (!isComplete) throw new InvalidDrillError(`Belay couldn't read all volumes for ${shown}.`);
      return volumes;
    }),
  );
  const volumes = [...new Map(each.flat().map((volume) => [volume.id, volume])).values()];
  if (volumes.length > maxVolumes) {
    const many = plural(volumes.length, 'volume matches', 'volumes match');
    throw new InvalidDrillError(`${many}. A drill can restore at most ${maxVolumes}.`);
  }
  return { source: { volumes: volumes.map(toDrilled) }, volumes };
}
