import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, OpenView } from '../../playground/slack/protocol.ts';

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
};

export async function openSetup(admin: Actor): Promise<OpenView> {
  await admin.send('ops', '/belay setup');
  return admin.seeDialog('Approvals channel');
}

export function setupValues(choices: SetupChoices): FormValues {
  const { region, token, unit, approvers, channel, owner, grace, usersPerHour } = choices;
  return {
    ...(region === undefined ? {} : { region: { input: region } }),
    ...(token === undefined ? {} : { token: { input: token } }),
    ...(unit === undefined ? {} : { 'organizational-unit': { input: unit } }),
    ...(approvers === undefined ? {} : { approvers: { input: approvers } }),
    ...(channel === undefined ? {} : { 'approvals-channel': { input: channel } }),
    ...(owner === undefined ? {} : { 'token-owner': { input: owner } }),
    ...(grace === undefined ? {} : { 'delete-grace': { input: grace } }),
    ...(usersPerHour === undefined ? {} : { 'users-per-hour': { input: usersPerHour } }),
  };
}

/** Changes the setup with success; resolves to the dialog that says so. */
export async function changeSetup(admin: Actor, choices: SetupChoices): Promise<OpenView> {
  await admin.submit(await openSetup(admin), setupValues(choices));
  return admin.seeDialog('Belay is set up');
}
