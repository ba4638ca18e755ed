import type { KyselyPlugin } from 'kysely';
import { expect, inject, test } from 'vitest';
import { ask, heardBack, seeAgain } from '../support/ask.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { shareWorld } from '../support/world.ts';

let settingsReads = 0;

const countSettingsReads: KyselyPlugin = {
  transformQuery({ node }) {
    const isRead = node.kind === 'SelectQueryNode';
    if (isRead && JSON.stringify(node.from).includes('workspace_settings')) settingsReads += 1;
    return node;
  },
  transformResult: async ({ result }) => result,
};

const world = shareWorld({
  dialect: 'live',
  async openDatabase() {
    const { db, ...opened } = await openFromTemplate(inject('databaseTemplate'));
    return { ...opened, db: db.withPlugin(countSettingsReads) };
  },
});

const email = 'joana.prado@example.com';

let seenRequests = 0;

/** The requests to the service, sorted, and the number of reads of the settings since the last call. */
function countReads(): { requests: string[]; settingsReads: number } {
  const { service } = world();
  const requests = service.requests.slice(seenRequests);
  const reads = {
    requests: requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`).sort(),
    settingsReads,
  };
  seenRequests = service.requests.length;
  settingsReads = 0;
  return reads;
}

test('a request, a decision and a run each read the user and the settings once', async () => {
  const { ana, ben, service, portal } = world();
  const user = `/users/${service.users(portal.id).find((one) => one.email === email)?.id}`;
  await ana.send('ops', `/belay disable ${email}`);
  const form = await ana.seeDialog('Reason');
  countReads();

  await ana.submit(form, { reason: { input: 'Left the company' } });
  const request = await ana.seeMessage('Waiting for approval.');
  await ana.seeMessage('Request sent to');
  // The preview shows the names of units, and the check for the last administrator needs role names.
  const lists = ['GET /organizational-units', 'GET /roles'];
  expect(countReads()).toEqual({ requests: [...lists, `GET ${user}`], settingsReads: 1 });

  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  // The settings are read at the click and for the run; only the guards read lists.
  expect(countReads()).toEqual({
    requests: ['GET /roles', `GET ${user}`, `PATCH ${user}`],
    settingsReads: 2,
  });
});

test('a list of requests reads the settings once', async () => {
  const { ana } = world();
  countReads();
  await ana.send('ops', '/belay requests');
  await ana.seeMessage('You have no open requests');
  expect(countReads()).toEqual({ requests: [], settingsReads: 1 });
});

test('a denial sends no request to the service', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  countReads();
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'On leave' },
  });
  await seeAgain(ana, request, '&gt; On leave');
  await heardBack(ana);
  // When the button is clicked and when the form is submitted.
  expect(countReads()).toEqual({ requests: [], settingsReads: 2 });
});
