import { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, openPendingModal } from '../../slack/ui/modal.ts';
import { code, mention } from '../../slack/ui/mrkdwn.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { resolveUser } from './find-users.ts';
import { formForId, formForTarget } from './open-request.ts';
import { checkTyped, submitRequest, type UsersDependencies } from './submit-request.ts';
import { readAccess } from './user-access.ts';
import { readTarget } from './views/format-target.ts';
import {
  askActionIds,
  chooseActionId,
  reasonBlockId,
  requestCallbackId,
  showActionId,
  type Verb,
  verbs,
} from './views/ids.ts';
import { modalTitles, requestMetadata } from './views/request-modal.ts';
import { noUserMessage, userCard, userListMessage } from './views/user-message.ts';

const userValue = z.object({ userId: z.string() });
const waiting = 'Looking up the user…';

export function registerUsers(listeners: Listeners, given: UsersDependencies): Subcommand[] {
  const { openService } = given;

  listeners.action(
    showActionId,
    userValue,
    async ({ value, teamId }) => ({ reply: await showUser(value.userId, teamId, openService) }),
    { isAnnounced: true },
  );

  for (const verb of verbs) {
    listeners.action(askActionIds[verb], userValue, async ({ value, teamId, ...call }) => {
      const parts = await formParts(teamId, given);
      if (!parts) return { reply: notConnected };
      const asked = { ...parts, verb, channelId: call.channelId };
      await openPendingModal(call, { title: modalTitles[verb], waiting }, () =>
        formForId(value.userId, asked),
      );
      return undefined;
    });
  }

  listeners.action(chooseActionId, requestMetadata, async (call) => {
    const parts = await formParts(call.teamId, given);
    if (!parts) return { reply: notConnected };
    const { userId, verb, channelId } = call.value;
    await fillModal(call, { title: modalTitles[verb], waiting }, () =>
      formForId(userId, { ...parts, verb, channelId }),
    );
    return undefined;
  });

  listeners.submission(requestCallbackId, {
    metadata: requestMetadata,
    typed: (values) => values.text(reasonBlockId),
    check: checkTyped,
    run: (call) => submitRequest(call, given),
  });

  return [searchSubcommand(openService), ...verbs.map((verb) => askSubcommand(verb, given))];
}

/** What every form is made with; undefined while the workspace is not connected. */
async function formParts(teamId: string, { openService, readSettings }: UsersDependencies) {
  const [service, settings] = await Promise.all([openService(teamId), readSettings(teamId)]);
  const { deleteGraceMinutes } = settings;
  return service && { client: service.client, deleteGraceMinutes };
}

async function showUser(userId: string, teamId: string, openService: OpenService) {
  const service = await openService(teamId);
  if (!service) return notConnected;
  try {
    return await cardOf(await readUser(service.client, userId), service.client);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return notice(`There is no user with the id ${code(userId)} any more.`);
  }
}

async function cardOf(user: User, client: ServiceClient): Promise<Message> {
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
        : cardOf(user, service.client);
    },
  };
}

const summaries: Record<Verb, string> = {
  disable: 'Ask to disable a user',
  enable: 'Ask to re-enable a disabled user',
  rename: "Ask to change a user's name",
  delete: 'Ask to delete a user for good',
};

function askSubcommand(verb: Verb, given: UsersDependencies): Subcommand {
  return {
    name: verb,
    usage: `${verb} <user>`,
    summary: summaries[verb],
    async run({ text, teamId, channelId, slack, triggerId }: CommandInteraction) {
      const read = await readTarget(text, { slack, teamId });
      if ('hiddenAddress' in read) return hiddenAddress(read.hiddenAddress);
      const { target } = read;
      if (!target) return notice(`Whom? For example: \`/belay ${verb} ana@example.com\``);
      const parts = await formParts(teamId, given);
      if (!parts) return notConnected;
      const asked = { ...parts, verb, channelId };
      await openPendingModal({ slack, triggerId }, { title: modalTitles[verb], waiting }, () =>
        formForTarget(target, asked),
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
