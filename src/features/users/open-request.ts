import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import { section } from '../../slack/ui/blocks.ts';
import { maxIdLength } from '../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { resolveUser } from './find-users.ts';
import { userMrkdwn } from './views/format-user.ts';
import type { Verb } from './views/ids.ts';
import { chooseModal, type FormContext, modalTitles, requestModal } from './views/request-modal.ts';

type Asked = FormContext & { client: ServiceClient; verb: Verb };

/** The form for the one user that `target` names, a choice between several, or why there is none. */
export async function formForTarget(target: string, asked: Asked): Promise<ModalView> {
  const found = await resolveUser(asked.client, target);
  const [user, another] = found.users;
  if (!user) {
    const words = `No user matches ${code(target)}. Nothing was asked for. Try part of the name or of the e-mail address with \`/belay users\`.`;
    return noticeModal(modalTitles[asked.verb], [section(words)]);
  }
  if (another || !found.isComplete) return chooseModal(asked.verb, target, found, asked.channelId);
  return formForUser(user, asked);
}

/** The form for the user with this id, read anew. */
export async function formForId(userId: string, asked: Asked): Promise<ModalView> {
  try {
    return formForUser(await readUser(asked.client, userId), asked);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const words = `There is no user with the id ${code(userId)} any more. Nothing was asked for.`;
    return noticeModal(modalTitles[asked.verb], [section(words)]);
  }
}

function formForUser(user: User, { verb, ...context }: Asked): ModalView {
  if (user.id.length > maxIdLength) {
    const words = `The id of ${userMrkdwn(user)} is longer than a form can carry. Nothing was asked for. Please change this user in the portal.`;
    return noticeModal(modalTitles[verb], [section(words)]);
  }
  const already = alreadySo(verb, user);
  if (already) return noticeModal(modalTitles[verb], [section(already)]);
  return requestModal(verb, user, context);
}

/** In words, when there is nothing to ask for. */
export function alreadySo(verb: Verb, user: User): string | undefined {
  if (verb === 'disable' && user.isEnabled === false) {
    return `${userMrkdwn(user)} is disabled already. Nothing was asked for.`;
  }
  if (verb === 'enable' && user.isEnabled === true) {
    return `${userMrkdwn(user)} is enabled already. Nothing was asked for.`;
  }
  return undefined;
}
