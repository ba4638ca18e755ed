import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import { OperationUnavailableError } from '../../dataprotection/http/errors.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { readBackupPage } from '../../dataprotection/resources/backups.ts';
import { readVolume } from '../../dataprotection/resources/volumes.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { offersBreakGlass } from '../../requests/break-glass/break-glass-right.ts';
import { requesters, requireAudience } from '../../requests/open-form.ts';
import type { ActionInteraction, Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { unquote } from '../../slack/ui/typed-filter.ts';
import { beginOfDate } from '../../slack/ui/typed-since.ts';
import { offersAction } from '../../workspace/permissions.ts';
import { viewBackupsActionId } from '../alerts/index.ts';
import { findVolumes } from './find-volumes.ts';
import { isExpired } from './stored-restore.ts';
import { readSource, submitRestore } from './submit-restore.ts';
import {
  backupListMessage,
  backupsPerPage,
  dayForm,
  dayModal,
} from './views/backup-list-message.ts';
import {
  type BackupQuery,
  backupPager,
  backupQuery,
  chooseDayActionId,
  type FormValue,
  formActionId,
  formButton,
  formValue,
  maxSearchLength,
  policyVolumesActionId,
  restoreActionId,
  type VolumeQuery,
  volumePager,
  volumeQuery,
} from './views/ids.ts';
import {
  checkForm,
  listTargets,
  restoreForm,
  restoreModal,
  restoreTitle,
} from './views/restore-form.ts';
import {
  noRestoresMessage,
  volumeGoneMessage,
  volumeListMessage,
} from './views/volume-list-message.ts';

type RestoreDependencies = { approvals: Approvals; clock: Clock };

/** `/belay restore`: volumes, their backups, and the form that requests to restore one. */
export function registerRestores(
  listeners: Listeners,
  dependencies: RestoreDependencies,
): Subcommand[] {
  const { clock } = dependencies;

  listeners.pages(volumePager, ({ value, ...call }) => showVolumes(call, value, clock));
  listeners.action(policyVolumesActionId, volumeQuery, async ({ value, ...call }) => ({
    reply: await showVolumes(call, value, clock),
  }));
  listeners.action(chooseDayActionId, backupQuery, async ({ value, channelId }) => ({
    open: dayModal({ ...value, channelId: value.channelId ?? channelId }),
  }));
  listeners.form(dayForm, {
    run: ({ metadata, entered: { day }, ...call }) =>
      showBackups(call, { ...metadata, start: 0, day }, clock),
  });
  listeners.pages(backupPager, ({ value, ...call }) => showBackups(call, value, clock));
  listeners.action(
    viewBackupsActionId,
    backupQuery,
    async ({ value, ...call }) => ({ reply: await showBackups(call, value, clock) }),
    { isAnnounced: true },
  );

  listeners.opens(formActionId, formValue, {
    title: restoreTitle,
    waiting: 'Loading the backup…',
    needs: requesters(restoreActionId),
    fill: (call) => openForm(call, dependencies),
  });

  listeners.form(restoreForm, {
    check: checkForm,
    run: (call) => submitRestore(call, dependencies),
  });

  return [
    {
      name: 'restore',
      usage: 'restore [name, volume ID or tag]',
      summary: 'Find an EBS volume and its backups, and request approval to restore one',
      details: [
        '`/belay restore vol-0a1b2c3d` · by volume ID, also of a deleted volume',
        '`/belay restore team=billing` · by tag',
        '`/belay restore vol-0a1b2c3d 2026-11-01` · only the backups of that day',
        'A restore makes a new volume. It never changes the original.',
      ],
      async run(call) {
        const text = unescapeMrkdwn(call.text).trim();
        if (text.length > maxSearchLength) return notice(`At most ${maxSearchLength} characters.`);
        const [, name = text, day] = /^(\S.*?)\s+(?:on\s+)?(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
        if (day !== undefined && !z.iso.date().safeParse(day).success) {
          return notice(`${code(day)} isn't a date.`);
        }
        return showVolumes(call, { text: unquote(name), start: 0, day }, clock);
      },
    },
  ];
}

/** The volumes that the text means, or the backups of the only one. @throws {ServiceError} */
async function showVolumes(call: Interaction, query: VolumeQuery, clock: Clock): Promise<Message> {
  return explainingNone(async () => {
    const { client } = await call.service();
    if (!(await offersOperation(client, 'restoreVolume'))) return noRestoresMessage;
    const found = await findVolumes(client, query.text, query.policy?.id);
    const [volume, another] = found.volumes;
    const isOne = volume && !another && found.isComplete && query.text !== '';
    if (isOne) return showBackups(call, { volumeId: volume.id, start: 0, day: query.day }, clock);
    return volumeListMessage(query, found);
  });
}

/** @throws {ServiceError} */
async function showBackups(call: Interaction, query: BackupQuery, clock: Clock): Promise<Message> {
  return explainingNone(async () => {
    const [{ client }, settings] = await Promise.all([call.service(), call.settings()]);
    const { volumeId, start, day } = query;
    const { timeZone } = call.person;
    const begun =
      day === undefined
        ? undefined
        : { from: beginOfDate(day, timeZone), until: beginOfDate(day, timeZone, 1) };
    const [volume, page] = await Promise.all([
      undefinedIfGone(readVolume(client, volumeId)),
      readBackupPage(client, volumeId, { start, perPage: backupsPerPage, begun }),
    ]);
    if (!volume) return showNamed(call, query, clock);
    const { items: backups, totalCount: total = start + backups.length } = page;
    // Others have expired since.
    if (backups.length === 0 && start > 0) return showBackups(call, { ...query, start: 0 }, clock);
    const isRestorable = await offersOperation(client, 'restoreVolume');
    const canRestore = isRestorable && offersAction(call.person, settings, restoreActionId);
    return backupListMessage(query, { volume, backups, total, now: clock(), canRestore });
  });
}

/** The volume of an alert by its name, where the service doesn't know the alert's id of it. */
async function showNamed(call: Interaction, query: BackupQuery, clock: Clock): Promise<Message> {
  const { volumeId, name } = query;
  if (!name) return volumeGoneMessage(volumeId);
  const { client } = await call.service();
  const found = await findVolumes(client, name);
  const [volume, another] = found.volumes;
  if (!volume) return volumeGoneMessage(name);
  if (another || !found.isComplete) return volumeListMessage({ text: name, start: 0 }, found);
  return showBackups(call, { ...query, volumeId: volume.id, name: undefined }, clock);
}

/** A service may lack the lists as well. */
async function explainingNone(show: () => Promise<Message>): Promise<Message> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof OperationUnavailableError) return noRestoresMessage;
    throw error;
  }
}

async function openForm(
  { value, ...call }: ActionInteraction<FormValue>,
  { approvals, clock }: RestoreDependencies,
): Promise<ModalView> {
  const { teamId, person } = call;
  const [{ client, connectionId }, settings] = await Promise.all([call.service(), call.settings()]);
  const { backupId, isRepeat, channelId = call.channelId } = value;
  const refuse = (why: string) => noticeModal(restoreTitle, `${why} No request was sent.`);
  requireAudience(channelId, settings);
  const now = clock();
  const source = await readSource(client, backupId);
  if (!source) return refuse('This backup no longer exists.');
  if (isExpired(source.backup, now)) return refuse('This backup has expired.');
  if (listTargets(source.backup, source.environments).length === 0) {
    return refuse('No connected environment can take this backup.');
  }
  const action = restoreActionId;
  if (!isRepeat) {
    const again = formButton('Request anyway…', { backupId, channelId, isRepeat: true });
    const change = { teamId, connectionId, action, subjectId: source.volume.id };
    const question = await approvals.askAboutOpen({ ...change, person, again });
    if (question) return noticeModal(restoreTitle, question);
  }
  const warning = await approvals.warnOfRefusal(call, { action, required: 1 });
  const mayBreakGlass = offersBreakGlass(person, settings, action);
  return restoreModal(source, { now, warning, mayBreakGlass, channelId, isRepeat });
}
