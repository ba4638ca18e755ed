import type { Region } from '../../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { input, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import { type ConnectionMetadata, maxConnectionName } from '../connections/connection-form.ts';
import type { SetupForm } from '../setup-form.ts';
import { connectionCallbackId, connectionNameBlockId } from './ids.ts';
import { connectionInputs, errorBlocks } from './setup-modal.ts';

export const connectionTitle = 'Connection';

type ConnectionModalInput = {
  regions: Region[];
  /** Initial values, without the token; undefined for a new connection. */
  form:
    | (Pick<SetupForm, 'regionId' | 'tokenOwner' | 'organizationalUnitId'> & { name: string })
    | undefined;
  /** For a menu; undefined if the service does not list them. */
  units: OrganizationalUnit[] | undefined;
  metadata: ConnectionMetadata;
  /** When a token was entered on a web page for this form. */
  receivedAt?: Date | undefined;
  /** Errors by block id, for when it is too late to show them beside the fields. */
  refused?: { errors: Record<string, string>; hadToken: boolean };
};

/** The form of one connection. The workspace's settings are in the setup form. */
export function connectionModal({
  form,
  refused,
  metadata,
  ...options
}: ConnectionModalInput): ModalView {
  const isNew = metadata.originId === undefined;
  const initial = { regionId: undefined, tokenOwner: undefined, organizationalUnitId: undefined };
  return formModal({
    title: isNew ? 'Add connection' : 'Edit connection',
    callbackId: connectionCallbackId,
    submit: isNew ? 'Add connection' : 'Save',
    metadata: encodeValue(metadata),
    blocks: [
      ...(refused ? errorBlocks(refused) : []),
      input({
        blockId: connectionNameBlockId,
        label: 'Name',
        hint: 'Short name, such as europe. To use this connection once, people add on:europe to a command.',
        element: textElement({ maxLength: maxConnectionName, initial: form?.name }),
      }),
      ...connectionInputs({ ...options, form: form ?? initial, metadata }),
    ],
  });
}

export function noticeOfConnection(text: string): ModalView {
  return noticeModal(connectionTitle, [section(text)]);
}
