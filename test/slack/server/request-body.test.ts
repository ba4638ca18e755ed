import { expect, it } from 'vitest';
import { classifyBody } from '../../../src/slack/server/request-body.ts';

const form = 'application/x-www-form-urlencoded';
const classify = (payload: object) =>
  classifyBody(form, new URLSearchParams({ payload: JSON.stringify(payload) }).toString());

const user = { id: 'U1' };
const submission = (values: unknown) => ({
  type: 'view_submission',
  user,
  view: { id: 'V1', callback_id: 'c', state: { values } },
});
const click = {
  type: 'block_actions',
  user,
  actions: [{ type: 'button', action_id: 'a', block_id: 'b' }],
};

it.each([
  submission({ reason: { input: { type: 'plain_text_input', value: null } } }),
  { ...submission({}), response_urls: [] },
  { ...click, channel: { id: 'C1' } },
])('dispatches what Slack sends: %j', (payload) => {
  expect(classify(payload)).toBe('dispatch');
});

// Each of these made Bolt or a listener throw, which Slack saw as a server error.
it.each([
  submission({ reason: 'U1' }),
  submission({ reason: { input: [] } }),
  submission({ reason: { input: { value: [] } } }),
  submission({ sort: { input: { selected_option: { value: 'a', text: [] } } } }),
  { ...submission({}), response_urls: [null] },
  { ...click, channel: null },
])('refuses %j', (payload) => {
  expect(classify(payload)).toBe('malformed');
});

it.each(['belay', '/be lay', '/belay\u0000', ''])('refuses the command "%s"', (command) => {
  const fields = { command, team_id: 'T1', user_id: 'U1' };
  expect(classifyBody(form, new URLSearchParams(fields).toString())).toBe('malformed');
});
