import { randomUUID } from 'node:crypto';
import type { Ack } from '../../playground/slack/delivery.ts';
import type { GestureOutcome } from '../../playground/slack/protocol.ts';
import { requestUsersForm } from '../../src/features/users/views/bulk-modal.ts';
import type { BulkVerb, Verb } from '../../src/features/users/views/ids.ts';
import { requestForm } from '../../src/features/users/views/request-modal.ts';
import { denyForm } from '../../src/requests/views/decision-forms.ts';
import { encodeValue } from '../../src/slack/ui/codec.ts';
import { approvalsChannel, type TestBed } from './test-bed.ts';
import type { Post } from './watch-posts.ts';

type To = { requestUrl: string };

type RequestInput = { requester: string; verb: Verb; user: { id: string; email: string } };

/** Submits the form of a request. */
export function submitRequest(
  testBed: TestBed,
  { requester, verb, user }: RequestInput,
  { requestUrl }: To,
): Promise<Ack> {
  const metadata = { verb, userId: user.id, channelId: approvalsChannel };
  return submit(testBed, requestUrl, {
    slackUserId: requester,
    callbackId: requestForm.id,
    metadata,
    texts: {
      reason: 'Left the company on Friday',
      ...(verb === 'delete' ? { email: user.email } : {}),
      ...(verb === 'rename' ? { fullName: newNameOf(user.id) } : {}),
    },
  });
}

type BulkInput = {
  requester: string;
  verb: BulkVerb;
  users: { id: string }[];
  /** The same for each attempt, as when a form is submitted again. */
  viewId: string;
};

/** Submits the form of a request about several users. */
export function submitBulkRequest(
  testBed: TestBed,
  { requester, verb, users, viewId }: BulkInput,
  { requestUrl }: To,
): Promise<Ack> {
  return submit(testBed, requestUrl, {
    slackUserId: requester,
    callbackId: requestUsersForm.id,
    metadata: { verb, channelId: approvalsChannel, ids: users.map(({ id }) => id) },
    texts: {
      reason: 'The team was closed on Friday',
      ...(verb === 'delete' ? { count: String(users.length) } : {}),
    },
    viewId,
  });
}

export function newNameOf(userId: string): string {
  return `Renamed ${userId}`;
}

/** Submits the form with the reason of a denial. */
export function submitDenial(
  testBed: TestBed,
  { approver, approvalId }: { approver: string; approvalId: string },
  { requestUrl }: To,
): Promise<Ack> {
  return submit(testBed, requestUrl, {
    slackUserId: approver,
    callbackId: denyForm.id,
    metadata: { approvalId, channelId: approvalsChannel },
    texts: { reason: 'Still needed' },
  });
}

/** Clicks a button of a message as this person, in the local Slack. */
export function press(
  { slack }: TestBed,
  slackUserId: string,
  { channelId, messageTs, blockId }: Post,
  actionId: string,
  { requestUrl }: To,
): Promise<GestureOutcome> {
  // Slack looks for the address as it delivers, and it delivers before `perform` returns.
  slack.connectApp(requestUrl);
  return slack.perform(slackUserId, {
    type: 'act',
    container: { kind: 'message', channelId, messageTs },
    blockId,
    actionId,
    confirmed: true,
  });
}

type Form = {
  slackUserId: string;
  callbackId: string;
  metadata: Record<string, unknown>;
  texts: Record<string, string>;
  viewId?: string;
};

/** Submits a form as this person; the fields are texts. */
export function submit(
  { slack, workspace }: TestBed,
  requestUrl: string,
  form: Form,
): Promise<Ack> {
  const { teamId, domain, app } = workspace;
  const values = Object.entries(form.texts).map(([blockId, value]) => [
    blockId,
    { input: { type: 'plain_text_input', value } },
  ]);
  const payload = {
    type: 'view_submission',
    team: { id: teamId, domain },
    user: { id: form.slackUserId, team_id: teamId },
    api_app_id: app.appId,
    enterprise: null,
    is_enterprise_install: false,
    trigger_id: randomUUID(),
    view: {
      id: form.viewId ?? `V${randomUUID()}`,
      type: 'modal',
      callback_id: form.callbackId,
      private_metadata: encodeValue(form.metadata),
      state: { values: Object.fromEntries(values) },
    },
    response_urls: [],
  };
  // Slack looks for the address as it delivers.
  slack.connectApp(requestUrl);
  return slack.deliver('interactive', payload);
}
