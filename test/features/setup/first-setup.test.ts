import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { ask, messagesOf } from '../../support/ask.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { openRoles, roleValues } from '../../support/roles.ts';
import {
  changeSetup,
  openSettings,
  openSetup,
  reviewSetup,
  setupValues,
} from '../../support/set-up.ts';
import { startWorld } from '../../support/world.ts';

async function startConnected() {
  let database: OpenDatabase | undefined;
  const world = await startWorld({
    isSetUp: false,
    async openDatabase() {
      database = await openAnyDatabase();
      return database;
    },
    callLimits: { command: 1000, click: 1000 },
  });
  const { cleo, portal } = world;
  const connected = await changeSetup(cleo, { region: portal.id, token: portal.token });
  /** As if the hour were over. Slack's requests would look too old with another clock. */
  async function endHour(): Promise<void> {
    await database?.db
      .updateTable('workspace_settings')
      .set({ finishing_until: new Date() })
      .execute();
  }
  return { ...world, connected, endHour };
}

test('the first setup asks for region and token, and then offers each setting in the same dialog', async () => {
  const { cleo, ben, connected } = await startConnected();
  const shown = JSON.stringify(connected.blocks);
  expect(shown).toContain('Region: US West');
  expect(shown).toContain('*Approvers*\\nthe admins');
  expect(shown).toContain('Each setting has a default that works.');

  await cleo.press(connected, 'Change: Deletion grace period');
  const grace = await cleo.seeDialog('Time between disabling and deleting');
  expect(grace.viewId).toBe(connected.viewId);
  await cleo.submit(grace, setupValues({ grace: '0' }));
  const saved = await cleo.seeDialog('*Deletion grace period*\nnone');
  await cleo.press(saved, 'Change: Token owner');
  const owner = await cleo.seeDialog('never disables or deletes this user');
  await cleo.submit(owner, setupValues({ owner: 'kim.lee@example.com' }));
  const owned = await cleo.seeDialog('*Token owner*\nkim.lee@example.com');
  await cleo.press(owned, 'Change: Approvers');
  const approvers = await cleo.seeDialog('Choose who approves requests');
  await cleo.submit(approvers, setupValues({ approvers: [people.ben] }));
  const named = await cleo.seeDialog(`*Approvers*\n<@${people.ben}>`);
  expect(JSON.stringify(named.blocks)).toContain("require a second person's approval");
  await cleo.close(named);
  expect(messagesOf(ben)).toEqual([]);

  // From now on somebody else relies on the settings.
  const review = await reviewSetup(cleo, { usersPerHour: '20' });
  expect(review.submit).toBe('Request approval');
});

test('nobody but the admin who has connected the workspace finishes the setup alone', async () => {
  const { ana, slack } = await startConnected();
  slack.setPerson(people.ana, { isAdmin: true });
  const review = await reviewSetup(ana, { usersPerHour: '20' });
  expect(review.submit).toBe('Request approval');
  expect(JSON.stringify(review.blocks)).toContain('until another admin approves');
});

test('the save of another admin ends it', async () => {
  const { ana, cleo, slack, connected } = await startConnected();
  await cleo.close(connected);
  slack.setPerson(people.ana, { isAdmin: true });
  await ana.close(await changeSetup(ana, { weakeningApprovals: '3' }));
  const review = await reviewSetup(cleo, { weakeningApprovals: '1' });
  expect(review.submit).toBe('Request approval');
});

test('it ends after an hour', async () => {
  const { cleo, slack, connected, endHour } = await startConnected();
  await cleo.close(connected);
  slack.setPerson(people.ana, { isAdmin: true });
  await endHour();
  const settings = await openSettings(cleo);
  expect(JSON.stringify(settings.blocks)).not.toContain('Each setting has a default');
  await cleo.close(settings);
  const review = await reviewSetup(cleo, { grace: '0' });
  expect(review.submit).toBe('Request approval');
});

test('roles take a second person, also together with approvers', async () => {
  const { cleo, slack, connected } = await startConnected();
  await cleo.close(connected);
  slack.setPerson(people.ana, { isAdmin: true });
  const form = await openRoles(cleo);
  const choices = { admins: [people.ben], approvers: [people.ben] };
  await cleo.submit(form, roleValues(choices));
  const review = await cleo.seeDialog('Review changes');
  expect(review.submit).toBe('Request approval');
});

test('a button that changes connections asks for a confirmation', async () => {
  const { cleo, connected, service } = await startConnected();
  await cleo.close(connected);
  const [, east] = service.portals;
  if (!east) throw new Error('the reference service has one portal');
  await cleo.send('ops', '/belay connection');
  await cleo.press(await cleo.seeMessage('used in this channel'), 'Add connection');
  await cleo.submit(await cleo.seeDialog('people add on:europe'), {
    name: { input: 'east' },
    regionId: { input: east.id },
    token: { input: east.token },
  });
  await cleo.close(await cleo.seeDialog('*east* was added.'));

  await cleo.send('ops', '/belay connection');
  await cleo.press(await cleo.seeMessage('*east*'), 'Make default');
  const review = await cleo.seeDialog('*Default connection*: main → east');
  expect(review.submit).toBe('Save changes');
  await cleo.submit(review, {});
  await cleo.close(await cleo.seeDialog('*east* is now the default connection.'));

  await cleo.send('ops', '/belay connection');
  await cleo.press(await cleo.seeMessage('*east* · default'), 'Remove');
  await cleo.submit(await cleo.seeDialog('*Removed connection*: main'), {});
  await cleo.seeDialog('*main* was removed.');
});

test('requests that wait are not voided alone', async () => {
  const { ana, cleo, portal, connected, service, slack } = await startConnected();
  await cleo.close(connected);
  slack.setPerson(people.ana, { isAdmin: true });
  await ask(ana, '/belay disable joana.prado@example.com');
  const unitId = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
  const form = await openSetup(cleo);
  await cleo.submit(form, setupValues({ token: service.issueToken(portal.id, { unitId }) }));
  const review = await cleo.seeDialog('Review changes');
  expect(review.submit).toBe('Request approval');
});
