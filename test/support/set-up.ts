import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, Message, OpenView } from '../../playground/slack/protocol.ts';
import { messagesOf, seeAgain } from './ask.ts';
import type { World } from './world.ts';

/** What an admin leaves in the setup form; what is not given stays as the form has it. */
export type SetupChoices = {
  region?: string;
  token?: string;
  unit?: string | null;
  approvers?: string[];
  channel?: string | null;
  owner?: string | null;
  grace?: string;
  usersPerHour?: string;
  weakeningApprovals?: string;
};

export async function openSetup(admin: Actor): Promise<OpenView> {
  await admin.send('ops', '/belay setup');
  return admin.seeDialog('Channel where requests are posted');
}

export function setupValues(choices: SetupChoices): FormValues {
  const { region, token, unit, approvers, channel, owner, grace, usersPerHour } = choices;
  const { weakeningApprovals } = choices;
  return {
    ...(region === undefined ? {} : { regionId: { input: region } }),
    ...(token === undefined ? {} : { token: { input: token } }),
    ...(unit === undefined ? {} : { organizationalUnitId: { input: unit } }),
    ...(approvers === undefined ? {} : { approvers: { input: approvers } }),
    ...(channel === undefined ? {} : { approvalsChannelId: { input: channel } }),
    ...(owner === undefined ? {} : { tokenOwner: { input: owner } }),
    ...(grace === undefined ? {} : { deleteGraceMinutes: { input: grace } }),
    ...(usersPerHour === undefined ? {} : { usersPerHour: { input: usersPerHour } }),
    ...(weakeningApprovals === undefined
      ? {}
      : { weakeningApprovals: { input: weakeningApprovals } }),
  };
}

/**
 * Changes the setup with success; resolves to the last dialog. What is to be reviewed is confirmed,
 * and what takes a second person is approved by one of the approvers in force.
 */
export async function changeSetup(admin: Actor, choices: SetupChoices): Promise<OpenView> {
  await admin.submit(await openSetup(admin), setupValues(choices));
  return finishSetup(admin);
}

/** A token of the portal in another unit: with it, setup makes a new connection. */
export function tokenElsewhere({ portal, service }: Pick<World, 'portal' | 'service'>): string {
  const unitId = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
  return service.issueToken(portal.id, { unitId });
}

/**
 * Replaces the connection with another one for the same region, and that with one as it was. Resolves to
 * the review of the first change.
 */
export async function replaceConnection(world: World): Promise<OpenView> {
  const { cleo, portal } = world;
  const review = await reviewSetup(cleo, { token: tokenElsewhere(world) });
  await cleo.close(await finishSetup(cleo));
  await cleo.close(await changeSetup(cleo, { token: portal.token }));
  return review;
}

/** The same from the answer to a form that was submitted. */
export async function finishSetup(admin: Actor): Promise<OpenView> {
  const answer = await admin.seeDialog(/Review changes|Belay is set up/);
  if (answer.title !== 'Review changes') return answer;
  if (answer.submit !== 'Request approval') {
    await admin.submit(answer, {});
    return admin.seeDialog('Belay is set up');
  }
  const approvers = JSON.stringify(answer.blocks).match(/(?<= Approvers: [^.]*?)U\w+(?=>)/g);
  const approverId = approvers?.find((id) => id !== admin.slackUserId);
  if (!approverId) throw new Error('the review names nobody else who can approve');
  const approver = admin.other(approverId);
  const announced = announcementsTo(approver).length;
  const { request, dialog } = await sendRequest(admin, answer);
  await approver.press(request, 'Approve');
  await seeAgain(admin, request, 'The setup was changed.');
  await approver.see(
    () => announcementsTo(approver).length > announced || undefined,
    'the announcement of the change',
  );
  return dialog;
}

/** Submits the setup form; resolves to the review of its changes, or to what was saved. */
export async function reviewSetup(admin: Actor, choices: SetupChoices): Promise<OpenView> {
  await admin.submit(await openSetup(admin), setupValues(choices));
  return admin.seeDialog(/Review changes|Belay is set up/);
}

/** Requests a change that takes a second person; resolves to the request. */
export async function requestSetup(admin: Actor, choices: SetupChoices): Promise<Message> {
  const { request, dialog } = await sendRequest(admin, await reviewSetup(admin, choices));
  await admin.close(dialog);
  return request;
}

async function sendRequest(admin: Actor, review: OpenView) {
  const before = new Set(messagesOf(admin).map(({ messageTs }) => messageTs));
  await admin.submit(review, { reason: { input: 'Agreed in the weekly meeting' } });
  const dialog = await admin.seeDialog('Request sent to');
  const request = await admin.see(
    () => messagesOf(admin).find((one) => !before.has(one.messageTs) && isRequest(one)),
    'the request to change the setup',
  );
  return { request, dialog };
}

function isRequest({ text }: Message): boolean {
  return (
    text.includes('requests approval to change the Belay setup') &&
    text.includes('Waiting for approval.')
  );
}

function announcementsTo(person: Actor): Message[] {
  return messagesOf(person).filter(({ text }) => text.includes("changed Belay's setup"));
}
