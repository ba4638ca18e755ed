import type { App } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';

/** 20 November 2026, 23:30 UTC: evening in New York, the next day nowhere west of Lisbon. */
const A_MOMENT = 1_795_217_400;

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const form = (note: string): ModalView => ({
  type: 'modal',
  callback_id: 'request',
  title: plain('Request a change'),
  submit: plain('Request'),
  blocks: [
    {
      type: 'input',
      block_id: 'reason',
      label: plain('Reason'),
      hint: plain('Approvers will read it.'),
      element: { type: 'plain_text_input', action_id: 'text' },
    },
    {
      type: 'input',
      block_id: 'approvers',
      optional: true,
      label: plain('Approvers'),
      element: { type: 'multi_users_select', action_id: 'users' },
    },
    {
      type: 'actions',
      block_id: 'check',
      elements: [
        { type: 'button', action_id: 'check', text: plain('Check') },
        { type: 'button', action_id: 'explain', text: plain('Explain') },
      ],
    },
    { type: 'context', block_id: 'note', elements: [plain(note)] },
  ],
});

const explanation: ModalView = {
  type: 'modal',
  callback_id: 'explanation',
  title: plain('What happens next'),
  close: plain('Back'),
  blocks: [{ type: 'section', text: plain('An approver decides.') }],
};

const request = (requester: string, reason: string): KnownBlock[] => [
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `<@${requester}> asks: *${reason}*\nDue <!date^${A_MOMENT}^{date_num} {time}|soon>`,
    },
  },
  {
    type: 'actions',
    block_id: 'decision',
    elements: [
      {
        type: 'button',
        action_id: 'approve',
        style: 'primary',
        text: plain('Approve'),
        confirm: {
          title: plain('Approve this?'),
          text: { type: 'mrkdwn', text: 'It happens *at once*.' },
          confirm: plain('Yes, approve'),
          deny: plain('Not now'),
        },
      },
      { type: 'button', action_id: 'ponder', text: plain('Ponder') },
    ],
  },
];

/** A small approval app that uses each thing the page can do; `ponder` answers once it is let go. */
export function addSampleApp(app: App, isLetGo: Promise<void>): void {
  app.command('/belay', async ({ ack, client, body, respond }) => {
    await ack();
    if (body.text === 'secret') {
      await respond({ response_type: 'ephemeral', text: 'Between the two of us.' });
      return;
    }
    await client.views.open({ trigger_id: body.trigger_id, view: form('Not checked yet.') });
  });
  app.action('check', async ({ ack, client, body }) => {
    await ack();
    if (body.type !== 'block_actions' || !body.view) return;
    await client.views.update({ view_id: body.view.id, view: form('Checked: all is well.') });
  });
  app.action('explain', async ({ ack, client, body }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    await client.views.push({ trigger_id: body.trigger_id, view: explanation });
  });
  app.view('request', async ({ ack, view, client, body }) => {
    const reason = view.state.values.reason?.text?.value ?? '';
    if (reason === 'because') {
      await ack({ response_action: 'errors', errors: { reason: 'Say a little more.' } });
      return;
    }
    await ack();
    const approvers = view.state.values.approvers?.users?.selected_users ?? [];
    const mentions = approvers.map((id) => `<@${id}>`).join(' ');
    await client.chat.postMessage({
      channel: 'C0OPS00001',
      text: `A request: ${reason}`,
      blocks: request(body.user.id, `${reason} ${mentions}`.trim()),
    });
  });
  app.action('approve', async ({ ack, respond, body }) => {
    await ack();
    await respond({ replace_original: true, text: `Approved by <@${body.user.id}>` });
  });
  app.action('ponder', async ({ ack }) => {
    await isLetGo;
    await ack();
  });
}
