import type { MessageRef } from '../../../slack/api/post.ts';
import type { CopyKind } from '../store/tables.ts';

/** Call before sending a direct message. False if this process may not send it, or has no time left. */
export type ClaimDirect = (to: {
  slackUserId: string;
  kind: 'requester' | CopyKind;
}) => Promise<boolean>;

/**
 * The outcome of a direct message about a request: the place of a new one, `revoked` if the person may no
 * longer see it, `not-claimed` if it is still to be sent. Undefined: it was updated, or isn't needed.
 */
export type CopyOutcome = MessageRef | 'revoked' | 'not-claimed' | undefined;
