import { mailboxOf } from '../../mailbox.ts';
import { readInstallation } from '../../slack/api/installation.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import { isUserGroup } from '../../workspace/members.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { SaveResult, Setup } from '../../workspace/workspace.ts';
import type { SetupContext } from './setup-context.ts';
import { changedMeanwhileModal, type Saved, savedBeforeModal } from './views/saved-modal.ts';

type Store = Pick<SetupContext, 'store' | 'clock'>;
type Notices = Pick<Saved, 'hiddenAddresses' | 'missingEventScopes'>;
/** What to say about a save, or the answer to a stale form. */
type Result = { done: ModalView } | (Notices & { voidedCount: number });

type Wanted = Pick<
  Setup,
  'target' | 'connection' | 'tokenOwner' | 'settings' | 'viewId' | 'basedOn'
>;

/** Saves what needs no review. */
export function saveNow(
  call: Interaction,
  wanted: Wanted,
  { store, clock }: Store,
): Promise<Result> {
  const { approvers } = wanted.settings;
  const saved = { approvers, regionId: wanted.connection?.regionId };
  return save(call, saved, (savedBy) =>
    store.saveSetup({ ...wanted, teamId: call.teamId, savedBy, at: clock() }),
  );
}

/** Saves a change that was reviewed. */
export function saveReviewed(
  call: Interaction,
  { changeId, after }: SetupChange,
  isAnnounced: boolean,
  { store, clock }: Store,
): Promise<Result> {
  const { teamId } = call;
  return save(call, after, (savedBy) =>
    store.saveChange({ teamId, changeId, savedBy, isAnnounced, at: clock() }),
  );
}

async function save(
  { person, slack, log }: Interaction,
  { approvers, regionId }: { approvers: string[]; regionId: string | undefined },
  store: (savedBy: string) => Promise<SaveResult>,
): Promise<Result> {
  const savedBy = person.slackUserId;
  // Before anything is saved, so that a failure of Slack leaves no doubt about that.
  const notices = await findNotices([savedBy, ...approvers], slack);
  const saved = await store(savedBy);
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
  const voidedCount = saved.voided.length;
  log.info({ regionId, voided: voidedCount }, 'setup was saved');
  return { ...notices, voidedCount };
}

/** `slackIds`: the people who make and approve changes of the setup; groups are left out. */
async function findNotices(slackIds: string[], slack: SlackClient): Promise<Notices> {
  const ids = [...new Set(slackIds)].filter((id) => !isUserGroup(id));
  const [people, installation] = await Promise.all([
    Promise.all(ids.map((id) => readPerson(slack, id))),
    readInstallation(slack),
  ]);
  const hidden = people.filter(({ email }) => mailboxOf(email) === undefined);
  const missing = installation.outcome === 'ok' ? installation.missingEventScopes : undefined;
  return {
    hiddenAddresses: hidden.map(({ slackUserId }) => slackUserId),
    missingEventScopes: missing ?? [],
  };
}
