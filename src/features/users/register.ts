import { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, openPendingModal } from '../../slack/ui/modal.ts';
import { code, mention, mentionedUser, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import type { RequestButton } from '../approvals/index.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { resolveUser } from './find-users.ts';
import { openFormForId, openFormForTarget } from './open-request.ts';
import { readAccess } from './preview-user.ts';
import { checkForm, submitRequest, type UsersDependencies } from './submit-request.ts';
import {
  chooseActionId,
  reasonBlockId,
  requestActionIds,
  requestCallbackId,
  showActionId,
  type Verb,
  verbs,
} from './views/ids.ts';
import { modalTitles, requestMetadata } from './views/request-modal.ts';
import { noUserMessage, userCard, userListMessage } from './views/user-message.ts';

const userValue = z.object({ userId: z.string() });
const loadingText = 'Looking up the user…';

export function registerUsers(listeners: Listeners, given: UsersDependencies): Subcommand[] {
  const { openService } = given;

  listeners.action(
    showActionId,
    userValue,
    async ({ value, teamId }) => ({ reply: await showUser(value.userId, teamId, openService) }),
    { isAnnounced: true },
  );

  for (const verb of verbs) {
    listeners.action(requestActionIds[verb], userValue, async ({ value, ...call }) => {
      const context = await readFormContext(verb, call, given);
      if (!context) return { reply: notConnected };
      const input = { ...context, channelId: call.channelId };
      await openPendingModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
        openFormForId(value.userId, input),
      );
      return undefined;
    });
  }

  listeners.action(chooseActionId, requestMetadata, async (call) => {
    const { userId, verb, channelId, isRepeat } = call.value;
    const context = await readFormContext(verb, call, given);
    if (!context) return { reply: notConnected };
    await fillModal(call, { title: modalTitles[verb], waiting: loadingText }, () =>
      openFormForId(userId, { ...context, channelId, isRepeat }),
    );
    return undefined;
  });

  listeners.submission(requestCallbackId, {
    metadata: requestMetadata,
    typed: (values) => values.text(reasonBlockId),
    check: checkForm,
    run: (call) => submitRequest(call, given),
  });

  return [searchSubcommand(openService), ...verbs.map((verb) => requestSubcommand(verb, given))];
}

/** What every form needs; undefined while the workspace is not connected. */
async function readFormContext(
  verb: Verb,
  { teamId, person }: Pick<CommandInteraction, 'teamId' | 'person'>,
  { openService, readSettings, approvals }: UsersDependencies,
) {
  const [service, settings] = await Promise.all([openService(teamId), readSettings(teamId)]);
  if (!service) return undefined;
  const { client, connectionId } = service;
  const change = { teamId, connectionId, action: requestActionIds[verb] };
  const askAboutOpen = (subjectId: string, again: RequestButton) =>
    approvals.askAboutOpen({ ...change, subjectId, person, again });
  return { verb, client, deleteGraceMinutes: settings.deleteGraceMinutes, askAboutOpen };
}

async function showUser(userId: string, teamId: string, openService: OpenService) {
  const service = await openService(teamId);
  if (!service) return notConnected;
  try {
    return await showCard(await readUser(service.client, userId), service.client);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return notice(`There is no user with the id ${code(userId)} any more.`);
  }
}

async function showCard(user: User, client: ServiceClient): Promise<Message> {
  return userCard(user, await readAccess(client, user));
}

function searchSubcommand(openService: OpenService): Subcommand {
  return {
    name: 'users',
    usage: 'users <name, e-mail or id>',
    summary: 'Find users of the data-protection service',
    async run({ text, teamId, slack }) {
      const read = await readTarget(text, { slack, teamId });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const { target } = read;
      if (!target) return notice('Whom are you looking for? For example: `/belay users ana`');
      const service = await openService(teamId);
      if (!service) return notConnected;
      const found = await resolveUser(service.client, target);
      const [user, another] = found.users;
      if (!user) return noUserMessage(target);
      return another || !found.isComplete
        ? userListMessage(target, found)
        : showCard(user, service.client);
    },
  };
}

const summaries: Record<Verb, string> = {
  disable: 'Ask to disable a user',
  enable: 'Ask to re-enable a disabled user',
  rename: "Ask to change a user's name",
  delete: 'Ask to delete a user for good',
};

function requestSubcommand(verb: Verb, given: UsersDependencies): Subcommand {
  return {
    name: verb,
    usage: `${verb} <user>`,
    summary: summaries[verb],
    async run({ text, teamId, person, channelId, slack, triggerId }: CommandInteraction) {
      const read = await readTarget(text, { slack, teamId });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const { target } = read;
      if (!target) return notice(`Whom? For example: \`/belay ${verb} ana@example.com\``);
      const context = await readFormContext(verb, { teamId, person }, given);
      if (!context) return notConnected;
      const input = { ...context, channelId };
      await openPendingModal(
        { slack, triggerId },
        { title: modalTitles[verb], waiting: loadingText },
        () => openFormForTarget(target, input),
      );
      return undefined;
    },
  };
}

function hiddenAddress(slackUserId: string) {
  return notice(
    `Slack does not show the e-mail address of ${mention(slackUserId)}, so Belay cannot tell which user that is. Nothing was changed. Please type the address.`,
  );
}

/**
 * The user that a person typed, as plain text. Slack sends `@ana` as a mention, which is resolved to
 * that person's e-mail address, if Slack shows it.
 */
async function readTarget(
  text: string,
  { slack, teamId }: { slack: SlackClient; teamId: string },
): Promise<{ target: string } | { hiddenAddress: string }> {
  const mentioned = mentionedUser(text);
  if (mentioned) {
    const { email } = await readPerson(slack, teamId, mentioned);
    return email ? { target: email } : { hiddenAddress: mentioned };
  }
  return { target: unescapeMrkdwn(text).trim() };
}
