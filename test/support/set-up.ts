import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, Message, OpenView } from '../../playground/slack/protocol.ts';
import { messagesOf, newMessages, seeAgain } from './ask.ts';
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
  alertsCleared?: string;
  weakeningApprovals?: string;
};

/** How the form of each choice is opened from the settings, and what it shows. */
const forms: Record<keyof SetupChoices, { button: string; shows: string }> = {
  region: { button: 'Edit: Connection', shows: 'Short name, such as europe' },
  token: { button: 'Edit: Connection', shows: 'Short name, such as europe' },
  unit: { button: 'Edit: Connection', shows: 'Short name, such as europe' },
  owner: { button: 'Change: Token owner', shows: 'never disables or deletes this user' },
  channel: { button: 'Change: Approvals channel', shows: 'Channel where requests are posted' },
  grace: { button: 'Change: Deletion grace period', shows: 'Time between disabling and deleting' },
  usersPerHour: { button: 'Change: Users per hour', shows: 'Maximum number of users' },
  alertsCleared: { button: 'Change: Alerts cleared at once', shows: 'Maximum number of alerts' },
  weakeningApprovals: {
    button: 'Change: Approvers needed to weaken a policy',
    shows: 'Number of people, 1 to 3',
  },
  approvers: { button: 'Change: Approvers', shows: 'Choose who approves requests' },
};

/** In the order in which a first setup makes them: with approvers, changes begin to need a second person. */
const choiceNames = [
  'region',
  'token',
  'unit',
  'owner',
  'channel',
  'grace',
  'usersPerHour',
  'alertsCleared',
  'weakeningApprovals',
  'approvers',
] as const satisfies (keyof SetupChoices)[];

/** `/belay setup`: the settings or, without a connection, the form of the first setup. */
export async function openSettings(admin: Actor): Promise<OpenView> {
  // A dialog that a test has left open shows settings, too.
  for (const view of admin.snapshot().views.toReversed()) await admin.close(view);
  await admin.send('ops', '/belay setup');
  return admin.seeDialog(/Portal where you sign in|Deletion grace period/);
}

const isFirstForm = ({ submit }: OpenView) => submit === 'Connect';

/** Opens the form for one choice: that of the connection unless another is named. */
export async function openSetup(
  admin: Actor,
  choice: keyof SetupChoices = 'region',
): Promise<OpenView> {
  const settings = await openSettings(admin);
  if (isFirstForm(settings)) return settings;
  const { button, shows } = forms[choice];
  await admin.press(settings, button);
  return admin.seeDialog(shows);
}

/** Fills and submits the form of these choices, which must be one. */
export async function submitSetup(admin: Actor, choices: SetupChoices) {
  const [step, ...others] = stepsOf(choices);
  if (!step || others.length > 0) throw new Error('these choices are not those of one form');
  return admin.submit(await openSetup(admin, step.form), setupValues(choices));
}

/** Choices by the form that has them, in the order in which they are made. */
function stepsOf(choices: SetupChoices): { form: keyof SetupChoices; choices: SetupChoices }[] {
  const given = choiceNames.filter((name) => choices[name] !== undefined);
  const hasConnection = given.some((name) => ['region', 'token', 'unit'].includes(name));
  const steps = new Map<string, { form: keyof SetupChoices; choices: SetupChoices }>();
  for (const form of given) {
    // The form of a connection has the owner, too.
    const { button } = forms[form === 'owner' && hasConnection ? 'region' : form];
    const step = steps.get(button) ?? { form, choices: {} };
    steps.set(button, { ...step, choices: { ...step.choices, [form]: choices[form] } });
  }
  return [...steps.values()];
}

export function setupValues(choices: SetupChoices): FormValues {
  const { region, token, unit, approvers, channel, owner, grace, usersPerHour } = choices;
  const { alertsCleared, weakeningApprovals } = choices;
  return {
    ...(region === undefined ? {} : { regionId: { input: region } }),
    ...(token === undefined ? {} : { token: { input: token } }),
    ...(unit === undefined ? {} : { organizationalUnitId: { input: unit } }),
    ...(approvers === undefined ? {} : { approvers: { input: approvers } }),
    ...(channel === undefined ? {} : { approvalsChannel: { input: channel } }),
    ...(owner === undefined ? {} : { tokenOwner: { input: owner } }),
    ...(grace === undefined ? {} : { deleteGraceMinutes: { input: grace } }),
    ...(usersPerHour === undefined ? {} : { usersPerHour: { input: usersPerHour } }),
    ...(alertsCleared === undefined ? {} : { maxAlertsCleared: { input: alertsCleared } }),
    ...(weakeningApprovals === undefined
      ? {}
      : { weakeningApprovals: { input: weakeningApprovals } }),
  };
}

/**
 * Changes the setup with success, one form after the other; resolves to the last dialog. What is to be
 * reviewed is confirmed, and what takes a second person is approved by one of the approvers in force.
 */
export async function changeSetup(admin: Actor, choices: SetupChoices): Promise<OpenView> {
  let dialog = await openSettings(admin);
  let left = choices;
  if (isFirstForm(dialog)) {
    const { region, token, unit: _unit, owner, ...others } = choices;
    left = { ...others, ...(owner && { owner }) };
    const first = { ...(region && { region }), ...(token && { token }) };
    await admin.submit(dialog, setupValues(first));
    dialog = await admin.seeDialog('Belay is set up');
  }
  for (const step of stepsOf(left)) {
    const { button, shows } = forms[step.form];
    // What was saved is shown with all settings, but not what a second person approved.
    const hasButton = JSON.stringify(dialog.blocks).includes(`"${button}"`);
    await admin.press(hasButton ? dialog : await openSettings(admin), button);
    await admin.submit(await admin.seeDialog(shows), setupValues(step.choices));
    dialog = await finishSetup(admin);
  }
  return dialog;
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
  await submitSetup(admin, choices);
  return admin.seeDialog(/Review changes|Belay is set up/);
}

/** Requests a change that takes a second person; resolves to the request. */
export async function requestSetup(admin: Actor, choices: SetupChoices): Promise<Message> {
  const { request, dialog } = await sendRequest(admin, await reviewSetup(admin, choices));
  await admin.close(dialog);
  return request;
}

async function sendRequest(admin: Actor, review: OpenView) {
  const seeNew = newMessages(admin);
  await admin.submit(review, { reason: { input: 'Agreed in the weekly meeting' } });
  const dialog = await admin.seeDialog('Request sent to');
  const request = await seeNew(isRequest);
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
