import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAlertChanger } from '../../../playground/controls/change-alerts.ts';
import { createPolicyChanger } from '../../../playground/controls/change-policies.ts';
import { alertsPath, policiesPath } from '../../../playground/controls/protocol.ts';
import { serveControls } from '../../../playground/controls/serve-controls.ts';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../playground/service/start-service.ts';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { firstOf } from '../service/call-portal.ts';

let service: ReferenceService;
let slack: LocalSlack;

beforeAll(async () => {
  service = await startReferenceService();
  const portal = firstOf(service.portals);
  const changeAlerts = createAlertChanger({ service, portal, clock: () => new Date() });
  slack = await startLocalSlack({
    workspace: createWorkspace(),
    page: serveControls((_request, response) => void response.end('the page'), {
      changeAlerts,
      changePolicies: createPolicyChanger({ service, portal }),
    }),
  });
});
afterAll(() => Promise.all([slack?.close(), service?.close()]));

const alertCount = () => service.alerts(firstOf(service.portals).id).length;
const json = { 'content-type': 'application/json' };

async function post(body: string, headers: Record<string, string> = json, path = alertsPath) {
  const response = await fetch(`${slack.url}${path}`, { method: 'POST', headers, body });
  return { status: response.status, answer: await response.json() };
}

test('a change is made and described', async () => {
  const before = alertCount();
  expect(await post('{"change":"raise","count":100}')).toEqual({
    status: 200,
    answer: { said: 'Raised 100 alerts.' },
  });
  expect(alertCount()).toBe(before + 100);
});

test.each([
  '{"change":"raise"}',
  '{"change":"raise","count":0}',
  '{"change":"raise","count":101}',
  '{"change":"raise","count":1.5}',
  '{"change":"raise","count":1,"severity":"error"}',
  '{"change":"note"}',
  'no JSON',
  '',
])('%j is refused with the valid changes, and changes nothing', async (body) => {
  const before = alertCount();
  expect(await post(body)).toEqual({
    status: 400,
    answer: {
      error:
        'Send {"change":"raise","count":1 to 100}, {"change":"raise-again"} or {"change":"clear"}.',
    },
  });
  expect(alertCount()).toBe(before);
});

test('a policy is changed by its own path', async () => {
  expect(await post('{"change":"retention"}', json, policiesPath)).toMatchObject({
    status: 200,
    answer: {
      said: expect.stringMatching(/^Changed Silver: keeps backups \d+ days → \d+ days\.$/),
    },
  });
  expect(await post('{"change":"raise","count":1}', json, policiesPath)).toEqual({
    status: 400,
    answer: { error: 'Send {"change":"retention"}.' },
  });
});

test('a change that is currently impossible is refused with the reason', async () => {
  service.reset();
  expect(await post('{"change":"clear"}')).toEqual({
    status: 200,
    answer: { error: 'No active alert was raised here. Raise one first.' },
  });
});

test('websites of other origins and GET requests can’t change anything', async () => {
  const before = alertCount();
  const raise = '{"change":"raise","count":1}';
  expect((await post(raise, { ...json, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(raise, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await fetch(`${slack.url}${alertsPath}`)).status).toBe(405);
  expect(alertCount()).toBe(before);
});

test('all other paths are passed to the page', async () => {
  expect(await (await fetch(`${slack.url}/?as=U0ANA00001`)).text()).toBe('the page');
});
