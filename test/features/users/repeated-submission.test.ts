import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { aReason, fillForm, heardBack, messagesOf } from '../../support/ask.ts';
import { submitRaw } from '../../support/raw-request.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

test('a form that is submitted again with a new signature creates one request', async () => {
  const { ana, ben, service } = world();
  const form = await fillForm(ana, '/belay disable ana.silva@example.com');
  const request = await ben.seeMessage('Waiting for approval.');
  const state = { reason: { input: { type: 'plain_text_input', value: aReason } } };

  const again = { slackUserId: people.ana, form, state };
  expect((await submitRaw(world(), again)).status).toBe(200);
  await ana.seeMessage("You already sent this request, so it wasn't sent again.");
  expect(messagesOf(ben).filter(({ text }) => /request(s|ed) approval to/.test(text))).toHaveLength(
    1,
  );

  // The same after the decision.
  await ben.press(request, 'Approve');
  await heardBack(ana);
  await submitRaw(world(), again);
  await ana.seeMessage('is already disabled. No request was sent.');
  expect(messagesOf(ben).filter(({ text }) => /request(s|ed) approval to/.test(text))).toHaveLength(
    1,
  );
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

test('a form that is submitted twice at the same time creates one request', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay disable joana.prado@example.com');
  const form = await ana.seeDialog('Reason');
  const copy = (reason: string) => ({
    slackUserId: people.ana,
    form,
    state: { reason: { input: { type: 'plain_text_input', value: reason } } },
  });
  await Promise.all([
    submitRaw(world(), copy('One reason')),
    submitRaw(world(), copy('Another reason')),
  ]);
  await ana.seeMessage('You already sent this request');
  await ana.seeMessage('Request sent to');
  expect(messagesOf(ben).filter(({ text }) => /request(s|ed) approval to/.test(text))).toHaveLength(
    1,
  );
});

test('a replayed HTTP request is refused', async () => {
  const { slack, workspace, ana } = world();
  const fields = {
    team_id: workspace.teamId,
    channel_id: 'C0OPS00001',
    user_id: people.ana,
    command: '/belay',
    text: 'help',
    response_url: `${slack.url}/response/none`,
  };
  const request = {
    body: new URLSearchParams(fields).toString(),
    timestamp: Math.floor(Date.now() / 1000),
  };
  expect((await slack.sendRaw(request)).status).toBe(200);
  const repeated = await slack.sendRaw(request);
  expect(repeated.status).toBe(409);
  expect(ana.snapshot().views).toEqual([]);
});
