import { z } from 'zod';
import { listConversations } from '../conversations.ts';
import { findPerson } from '../people.ts';
import type { LocalState, StoredView } from '../state.ts';
import { consumeTrigger } from '../trigger.ts';
import { problemLines } from '../validate/problem.ts';
import { isModal, type Modal, VIEW_BYTES, validateView } from '../validate/view.ts';
import { viewObject } from '../view-object.ts';
import {
  findByExternalId,
  findView,
  openView,
  pushView,
  STACK_LIMIT,
  stackOf,
  updateView,
} from '../view-stack.ts';
import { stateValues } from '../view-state.ts';
import { type ApiAnswer, type ApiMethod, failure, method } from './method.ts';
import { publish } from './publish-view.ts';

const needs = { token: 'bot' } as const;

const checkModal = (
  state: LocalState,
  view: unknown,
  replaces?: StoredView,
): { ok: true; modal: Modal } | { ok: false; answer: ApiAnswer } => {
  if (JSON.stringify(view).length > VIEW_BYTES) {
    return { ok: false, answer: failure('view_too_large') };
  }
  if (!isModal(view)) {
    return { ok: false, answer: failure('invalid_arguments', problemLines(validateView(view))) };
  }
  const existing = view.external_id ? findByExternalId(state, view.external_id) : undefined;
  if (existing && existing !== replaces) {
    return { ok: false, answer: failure('duplicate_external_id') };
  }
  return { ok: true, modal: view };
};

const shown = (state: LocalState, view: StoredView): ApiAnswer => {
  const person = findPerson(state, view.client.slackUserId);
  const conversations = person
    ? listConversations(state, person).map((place) => place.channelId)
    : [];
  const pickable = { people: [...state.people.keys()], channels: conversations, conversations };
  const merged = stateValues(view.modal.blocks, view.touched, pickable);
  return { ok: true, view: viewObject(state, view, merged.ok ? merged.values : {}) };
};

const openArguments = z.looseObject({ trigger_id: z.string(), view: z.looseObject({}) });

const open = method(needs, openArguments, ({ state }, { trigger_id, view }) => {
  const checked = checkModal(state, view);
  if (!checked.ok) return checked.answer;
  const consumed = consumeTrigger(state, trigger_id);
  if (!consumed.ok) return failure(consumed.error);
  return shown(state, openView(state, consumed.trigger.client, checked.modal));
});

const push = method(needs, openArguments, ({ state }, { trigger_id, view }) => {
  const checked = checkModal(state, view);
  if (!checked.ok) return checked.answer;
  const consumed = consumeTrigger(state, trigger_id);
  if (!consumed.ok) return failure(consumed.error);
  const { client, inView } = consumed.trigger;
  const height = stackOf(state, client).length;
  if (!inView || height === 0) return failure('not_found');
  if (height >= STACK_LIMIT) return failure('push_limit_reached');
  const pushed = pushView(state, client, checked.modal);
  return pushed ? shown(state, pushed) : failure('push_limit_reached');
});

const updateArguments = z
  .looseObject({
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
    view: z.looseObject({}),
  })
  .refine((args) => args.view_id !== undefined || args.external_id !== undefined, {
    message: 'missing required field: view_id or external_id',
  });

const update = method(needs, updateArguments, ({ state }, args) => {
  const { view_id, external_id = '', hash } = args;
  const view = view_id ? findView(state, view_id) : findByExternalId(state, external_id);
  const checked = checkModal(state, args.view, view);
  if (!checked.ok) return checked.answer;
  if (!view) return failure('not_found');
  if (hash !== undefined && hash !== view.hash) return failure('hash_conflict');
  updateView(state, view, checked.modal);
  return shown(state, view);
});

export const viewMethods: Record<string, ApiMethod> = {
  'views.open': open,
  'views.push': push,
  'views.update': update,
  'views.publish': publish,
};
