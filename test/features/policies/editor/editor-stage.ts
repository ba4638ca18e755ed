import type { Actor } from '../../../../playground/act-as.ts';
import type { FormValues, OpenView } from '../../../../playground/slack/protocol.ts';
import { newMessages } from '../../../support/ask.ts';
import type { World } from '../../../support/world.ts';

/** Presses *Edit* on the card of a policy; resolves to the dialog that comes. */
export async function openEdit(world: World, person: Actor, name: string): Promise<OpenView> {
  const { id } = policyNamed(world, name);
  const seeNew = newMessages(person);
  await person.send('ops', `/belay policy ${id}`);
  const card = await seeNew('*Policy ID*');
  return seeNewDialog(person, () => person.press(card, 'Edit'));
}

export function openCreate(person: Actor): Promise<OpenView> {
  return seeNewDialog(person, () => person.send('ops', '/belay policies create'));
}

/** The dialog that an action opens, once it has been filled. */
async function seeNewDialog(person: Actor, act: () => Promise<unknown>): Promise<OpenView> {
  const before = person.snapshot().views.at(-1)?.viewId;
  await act();
  return person.see(({ views }) => {
    const top = views.at(-1);
    return top && top.viewId !== before && !textOf(top).includes('Loading') ? top : undefined;
  }, 'the editor');
}

export function policyNamed({ service, portal }: World, name: string) {
  const policy = service.policies(portal.id).find((one) => one.name === name);
  if (!policy) throw new Error(`no policy ${name}`);
  return policy;
}

export function textOf({ blocks }: OpenView): string {
  return JSON.stringify(blocks).replaceAll('\\"', '"');
}

/** The Schedules that the first page of the editor lists. */
export function setLines(view: OpenView): string[] {
  return view.blocks.flatMap((block) => {
    const text = block.type === 'section' ? block.text?.text : undefined;
    const line = /^\*\d+\.\* (.*)$/s.exec(text ?? '')?.[1];
    return line === undefined ? [] : [line];
  });
}

/** The values of a form by the labels of its fields. */
export function byLabel(view: OpenView, fields: Record<string, string | null>): FormValues {
  return Object.fromEntries(
    Object.entries(fields).map(([label, value]) => [blockIdOf(view, label), { input: value }]),
  );
}

/** The errors of a form by the labels of its fields. */
export function errorsOf(view: OpenView): Record<string, string> {
  const labels = view.blocks.flatMap((block) =>
    block.type === 'input' ? [[block.block_id, block.label.text] as const] : [],
  );
  const names = new Map(labels);
  return Object.fromEntries(
    Object.entries(view.errors).map(([blockId, error]) => [names.get(blockId) ?? blockId, error]),
  );
}

function blockIdOf(view: OpenView, label: string): string {
  const found = view.blocks.find((block) => block.type === 'input' && block.label.text === label);
  if (!found?.block_id) throw new Error(`no field ${label} in ${JSON.stringify(view.blocks)}`);
  return found.block_id;
}
