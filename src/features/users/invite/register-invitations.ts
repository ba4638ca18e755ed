import type { z } from 'zod';
import { offersOperation } from '../../../dataprotection/dialects/find-operation.ts';
import { OperationUnavailableError } from '../../../dataprotection/http/errors.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import { offersBreakGlass } from '../../../requests/break-glass/break-glass-right.ts';
import { requesters, requireAudience } from '../../../requests/open-form.ts';
import { readPerson } from '../../../slack/api/person.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { Interaction } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import { actions, button, notice, section } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal, openPendingModal } from '../../../slack/ui/modal.ts';
import { mentionedUser, unescapeMrkdwn } from '../../../slack/ui/mrkdwn.ts';
import { offersTo } from '../../../workspace/call.ts';
import { readProtection } from '../check-protected-user.ts';
import { takeReason } from '../read-typed.ts';
import { notOfferedText } from '../views/format-invitation.ts';
import { inviteActionId, inviteButton, inviteValue, viewButton } from '../views/ids.ts';
import {
  checkInvitation,
  type FilledInvitation,
  inviteForm,
  inviteModal,
  inviteTitle,
} from '../views/invite-form.ts';
import { isInvited, subjectOf } from './stored-invitation.ts';
import { grantableRoles, readInvitee, submitInvitation } from './submit-invitation.ts';

const pending = { title: inviteTitle, waiting: 'Loading roles and units…' };
const needsRequester = requesters(inviteActionId);

/** `/belay invite`, and *Invite again* for invitations that weren't accepted. */
export function registerInvitations(listeners: Listeners, approvals: Approvals): Subcommand {
  listeners.opens(inviteActionId, inviteValue, {
    ...pending,
    needs: needsRequester,
    fill: ({ value: { channelId, ...filled }, ...call }) =>
      openForm({ ...call, channelId: channelId ?? call.channelId }, filled, approvals),
  });
  listeners.form(inviteForm, {
    check: checkInvitation,
    run: (call) => submitInvitation(call, approvals),
  });
  return {
    name: 'invite',
    usage: 'invite <email> [name] [as role]',
    summary: 'Request approval to invite a user',
    details: [
      '`/belay invite kim@example.com Kim Lee as Backup Operator` · fills in the form',
      'An invitation expires after 7 days. `/belay users invited` lists those who have not accepted.',
    ],
    isListedFor: (call) => offersTo(call, inviteActionId),
    async run(call) {
      const why = await needsRequester(call);
      if (why !== undefined) return notice(why);
      const typed = await readTyped(call.text, call.slack);
      await openPendingModal(call, pending, () => openForm(call, typed, approvals));
      return undefined;
    },
  };
}

/** `kim@example.com Kim Lee as Backup Operator because …`; a mention has an address and a name. */
async function readTyped(typed: string, slack: SlackClient): Promise<FilledInvitation> {
  const { text, reason } = takeReason(typed.trim());
  const [, who = text, role] = /^(.*?)\s+as\s+(?:an?\s+)?(.+)$/is.exec(text) ?? [];
  const more = { role: role && unescapeMrkdwn(role).trim(), reason };
  const mentioned = mentionedUser(/<@[^>]*>/.exec(who)?.[0] ?? '');
  if (mentioned !== undefined) {
    const { email, name } = await readPerson(slack, mentioned);
    return { ...more, email: email || undefined, fullName: name };
  }
  const words = unescapeMrkdwn(who)
    .split(/[\s,;<>()"“”]+/)
    .filter(Boolean);
  const email = words.find((word) => /.@./.test(word));
  return { ...more, email, fullName: words.filter((word) => word !== email).join(' ') };
}

async function openForm(
  call: Interaction & { channelId: string | undefined },
  { isRepeat, userId, ...typed }: Omit<z.infer<typeof inviteValue>, 'channelId'> & FilledInvitation,
  approvals: Approvals,
): Promise<ModalView> {
  const { teamId, person, channelId } = call;
  const [{ client, connectionId, organizationalUnitId }, settings] = await Promise.all([
    call.service(),
    call.settings(),
  ]);
  requireAudience(channelId, settings);
  const refuse = (why: string) => noticeModal(inviteTitle, `${why} No request was sent.`);
  try {
    if (!(await offersOperation(client, 'inviteUser'))) return refuse(notOfferedText);
    const invitee = await readInvitee(client, { userId, email: typed.email });
    if ('problem' in invitee) {
      const { problem, user } = invitee;
      if (!user) return refuse(problem);
      const next = isInvited(user)
        ? inviteButton('Invite again…', { userId: user.id, channelId })
        : viewButton(user);
      return noticeModal(inviteTitle, [section(problem), actions([button(next)])]);
    }
    const { source, email } = invitee;
    const { user } = source;
    const subjectId = subjectOf({ email, replaces: userId });
    if (!isRepeat) {
      // A command can be longer than what a button carries.
      const [typedEmail, fullName] = [typed.email, typed.fullName].map((one) => one?.slice(0, 255));
      const value = { userId, email: typedEmail, fullName, channelId, isRepeat: true };
      const again = inviteButton('Request anyway…', value);
      const change = { teamId, connectionId, action: inviteActionId, subjectId };
      const question = await approvals.askAboutOpen({ ...change, person, again });
      if (question) return noticeModal(inviteTitle, question);
    }
    const { protectedUsers } = settings.access;
    const protection = user && (await readProtection(client, user, protectedUsers));
    if (protection) return refuse(protection);
    const [access] = user?.roles ?? [];
    const unitIds =
      access?.organizationalUnitIds ?? (organizationalUnitId ? [organizationalUnitId] : undefined);
    const filled = { unitIds, fullName: user?.fullName, role: access?.roleId, ...typed };
    const asked = { action: inviteActionId, required: 1 } as const;
    const warning = await approvals.warnOfRefusal(call, asked);
    const mayBreakGlass = offersBreakGlass(person, settings, inviteActionId);
    const choices = { ...source, roles: grantableRoles(source, person) };
    return inviteModal(filled, choices, {
      channelId,
      warning,
      mayBreakGlass,
      repeats: isRepeat ? subjectId : undefined,
    });
  } catch (error) {
    // A service may lack the lists of roles and units.
    if (error instanceof OperationUnavailableError) return refuse(notOfferedText);
    throw error;
  }
}
