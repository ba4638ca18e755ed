import { setTimeout as wait } from 'node:timers/promises';
import { actAs } from '../../playground/act-as.ts';
import type { Random } from '../../playground/service/data/random.ts';
import type { Backup, Volume } from '../../playground/service/resources.ts';
import type { Database } from '../../src/database/tables.ts';
import { type Approval, isFollowed } from '../../src/requests/approval.ts';
import { toApproval, withRuns } from '../../src/requests/store/approval-row.ts';
import { buttonTexts, newMessages } from '../../test/support/ask.ts';
import { pickFault } from '../chaos/choose-fault.ts';
import type { Fleet } from '../chaos/fleet.ts';
import { approve } from '../policies/policy-round.ts';
import { listenTo } from '../replicas/listen-to.ts';
import { requesters } from '../replicas/people.ts';
import { readApprovals } from '../replicas/read-approvals.ts';
import type { TestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { beganChannel } from '../replicas/watch-states.ts';

export type RestoresSetup = { testBed: TestBed; db: Database; fleet: Fleet; random: Random };

type Round = { outcome: Outcome; fault: string; expires: boolean; atKill: string };

/** How tasks end, each as often as the others, and one that succeeds like all of them together. */
const outcomes = ['failed', 'aborted', 'stalled', 'vanished'] as const;
type Outcome = 'completed' | (typeof outcomes)[number];

/** A task takes at most this long, unless it stalls. */
export const maxTaskMs = 3000;
/** Long enough to request a restore of a backup that expires then. */
const expiresInMs = 5000;
const dayMs = 24 * 60 * 60_000;

/** Requests and approves one restore after the other, and kills the replica that begins each. */
export async function killRestores(
  setup: RestoresSetup,
  { url, kills }: { url: string; kills: number },
): Promise<Round[]> {
  const { fleet, random, testBed } = setup;
  const rounds: Round[] = [];
  const began = await listenTo(url, beganChannel);
  try {
    for (let tries = 0; rounds.length < kills && tries < 2 * kills; tries += 1) {
      await waitFor(() => fleet.running().length > 1, { forMs: 20_000, everyMs: 20 });
      const { volume, backup } = chooseSource(setup, tries);
      const expiresAt = random.chance(0.12) ? Date.now() + expiresInMs : undefined;
      if (expiresAt !== undefined) {
        const expiration_timestamp = new Date(expiresAt).toISOString();
        testBed.service.changeBackup(testBed.portal.id, backup.id, { expiration_timestamp });
      }
      const id = await request(setup, volume, tries);
      if (id === undefined) continue;
      if (expiresAt !== undefined) {
        await wait(Math.max(0, expiresAt + random.integer(-700, 600) - Date.now()));
      }
      const planned = planTask(setup);
      began.clear();
      const approving = approve(setup, () => find(setup, id));
      await waitFor(() => began.newest() !== undefined, { forMs: 10_000, everyMs: 2 });
      await wait(random.chance(0.85) ? random.integer(0, 350) : random.integer(350, maxTaskMs));
      const atKill = whatRuns(await find(setup, id));
      await fleet.kill(began.newest() ?? fleet.running()[0]?.name ?? '');
      await approving;
      rounds.push({ ...planned, expires: expiresAt !== undefined, atKill });
      if (rounds.length % 20 === 0) process.stdout.write(`${rounds.length} kills\n`);
      // Those that stall later are never finished.
      if (rounds.length === Math.ceil(kills / 2)) testBed.service.finishTasks();
    }
  } finally {
    await began.close();
  }
  return rounds;
}

/** A volume whose newest backup can be restored to where it was, and that backup. */
function chooseSource({ testBed }: RestoresSetup, nth: number): { volume: Volume; backup: Backup } {
  const { service, portal } = testBed;
  const homes = service
    .environments(portal.id)
    .filter(({ connection_status: status, services_enabled, account_name }) => {
      const isVisible = account_name !== 'finance';
      return isVisible && status !== 'unlinked' && services_enabled.includes('ebs');
    })
    .map(({ id }) => id);
  const lasting = (backup: Backup) => Date.parse(backup.expiration_timestamp) > Date.now() + dayMs;
  const key = ({ start_timestamp, id }: Backup) => `${start_timestamp} ${id}`;
  const backups = service.backups(portal.id).filter(lasting);
  const found = service.volumes(portal.id).flatMap((volume) => {
    const [backup] = backups
      .filter(({ volume_id }) => volume_id === volume.id)
      .toSorted((one, other) => (key(one) < key(other) ? 1 : -1));
    return backup && homes.includes(volume.environment_id) ? [{ volume, backup }] : [];
  });
  const source = found[nth % found.length];
  if (!source) throw new Error('no volume can be restored');
  return source;
}

/** How the service will treat the next restore that it gets. */
function planTask({ testBed, random }: RestoresSetup): Pick<Round, 'outcome' | 'fault'> {
  const { service } = testBed;
  const outcome = (random.chance(0.5) && random.pick(outcomes)) || 'completed';
  service.setTaskTimings({ outcome, delayMs: random.integer(0, maxTaskMs) });
  service.setFault(undefined);
  const picked = pickFault(random);
  if (picked) {
    service.addFault(picked.fault, { method: 'POST', pathPrefix: '/restores', times: 1 });
  }
  if (random.chance(0.1)) {
    const hidden = { kind: 'status', status: 403 } as const;
    service.addFault(hidden, { method: 'GET', pathPrefix: '/tasks', times: 5 });
  }
  return { outcome, fault: picked?.name ?? 'none' };
}

/**
 * Requests to restore the newest backup as it was. Resolves to the id of the request; undefined if the
 * backup expired meanwhile.
 */
async function request(
  { testBed, db, fleet }: RestoresSetup,
  volume: Volume,
  nth: number,
): Promise<string | undefined> {
  const { slack } = testBed;
  slack.connectApp(fleet.running()[0]?.requestUrl ?? '');
  const person = actAs(slack, requesters[nth % requesters.length] ?? '');
  const seeNew = newMessages(person);
  await person.send('ops', `/belay restore ${volume.volume_native_id}`);
  const list = await seeNew((one) => buttonTexts(one).includes('Restore…'));
  await person.press(list, 'Restore…');
  let form = await person.seeDialog(/Availability zone|Request anyway|has expired/);
  if (buttonTexts(form).includes('Request anyway…')) {
    await person.press(form, 'Request anyway…');
    form = await person.seeDialog(/Availability zone|has expired/);
  }
  if (form.submit === undefined) {
    await person.close(form);
    return undefined;
  }
  const readPosted = async () => (await readApprovals(db)).filter(({ messageTs }) => messageTs);
  const known = new Set((await readPosted()).map(({ id }) => id));
  await person.submit(form, { reason: { input: 'Rehearse the recovery of Friday' } });
  let posted: string | undefined;
  await waitFor(
    async () => {
      posted = (await readPosted()).find(
        ({ id, subjectId }) => subjectId === volume.id && !known.has(id),
      )?.id;
      return posted !== undefined;
    },
    { forMs: 15_000, everyMs: 50 },
  );
  return posted;
}

/** The request with this id. Once it is completed, it is about the new volume. */
async function find({ db }: RestoresSetup, id: string): Promise<Approval> {
  const row = await db
    .selectFrom('approval')
    .selectAll()
    .select(withRuns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return toApproval(row);
}

/** What a kill interrupts. */
function whatRuns({ state, runs: [run] }: Approval): string {
  if (state !== 'running') return state;
  if (isFollowed(run)) return 'the task';
  return run.sent.length > 0 ? 'the request to the service' : 'the last checks';
}
