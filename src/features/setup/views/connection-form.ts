import { z } from 'zod';
import type { SubmissionOf } from '../../../slack/interactions/interaction.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import type { ConnectionSummary } from '../../../workspace/workspace.ts';
import {
  type ConnectionEntries,
  connectionFields,
  readConnection,
  setupOrigin,
  shownSetup,
  tokenPageForm,
} from '../setup-form.ts';
import { connectionInputs, ownerInput, setupTitle } from './setup-modal.ts';

export const maxConnections = 20;
const maxConnectionName = 30;

export const connectionRef = setupOrigin.extend({ originId: z.uuid() });

const connectionMetadata = shownSetup.extend({
  /** The connection to edit; undefined in a form that adds one. */
  originId: z.uuid().optional(),
  hasStoredToken: z.boolean(),
  /** Whether the form says that a token was entered on a web page for it. */
  hasReceivedToken: z.boolean().optional(),
  /** Given where a token can be entered on a web page. */
  page: tokenPageForm.optional(),
});
type ConnectionMetadata = z.infer<typeof connectionMetadata>;

export const connectionForm = defineForm('connections.save', {
  metadata: connectionMetadata,
  fields: {
    ...connectionFields,
    name: textField({
      label: 'Name',
      hint: 'Short name, such as europe. To use this connection once, people add on:europe to a command.',
      maxLength: maxConnectionName,
    }),
  },
});

/** The form of the token owner alone. */
export const ownerForm = defineForm('connections.owner', {
  metadata: connectionMetadata,
  fields: { tokenOwner: connectionFields.tokenOwner },
});

export type ConnectionForm = ConnectionEntries & { name: string };

export function readConnectionForm({
  entered,
  values,
}: SubmissionOf<typeof connectionForm>): ConnectionForm {
  return { ...readConnection(entered, values), name: entered.name.normalize('NFC') };
}

/** Why a connection can't have this name. People type the name after `on:`, and titles show it. */
export function problemWithName(
  name: string,
  others: Pick<ConnectionSummary, 'name'>[],
): string | undefined {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) || name.length > maxConnectionName) {
    return `Use up to ${maxConnectionName} letters, digits, dots, hyphens and underscores, starting with a letter or digit.`;
  }
  const typed = name.toLowerCase();
  if (typed === defaultWord)
    return 'This name is reserved for the default connection. Choose another name.';
  const isTaken = others.some((other) => other.name.toLowerCase() === typed);
  return isTaken ? 'Another connection has this name.' : undefined;
}

/** `/belay connection use default` */
export const defaultWord = 'default';

export const connectionTitle = 'Connection';

/** The form of one connection. The workspace's settings are in the setup form. */
export function connectionModal({
  metadata,
  ...inputs
}: Omit<Parameters<typeof connectionInputs>[0], 'page' | 'hasStoredToken'> & {
  form: Partial<ConnectionForm> | undefined;
  metadata: ConnectionMetadata;
}): ModalView {
  const isNew = metadata.originId === undefined;
  const { page, hasStoredToken } = metadata;
  return connectionForm.modal({
    title: isNew ? 'Add connection' : 'Edit connection',
    submit: isNew ? 'Add connection' : 'Save',
    metadata,
    blocks: [
      connectionForm.fields.name.block(inputs.form?.name),
      ...connectionInputs({ ...inputs, page, hasStoredToken }),
    ],
  });
}

export function ownerModal(
  tokenOwner: string | undefined,
  metadata: ConnectionMetadata,
): ModalView {
  return ownerForm.modal({
    title: setupTitle,
    submit: 'Save',
    metadata,
    blocks: [ownerInput(tokenOwner)],
  });
}

export function noticeOfConnection(text: string): ModalView {
  return noticeModal(connectionTitle, text);
}
