import type { Gesture, GestureOutcome, paths } from '../slack/protocol.ts';
import { addressFor } from './use-snapshot.ts';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const GESTURES: typeof paths.gestures = '/local/gestures';

/** `unreachable`: the local Slack did not answer, so the outcome is unknown. */
export type SendOutcome = GestureOutcome | { result: 'unreachable' };

export async function sendGesture(slackUserId: string, gesture: Gesture): Promise<SendOutcome> {
  try {
    const response = await fetch(addressFor(GESTURES, slackUserId), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(gesture),
    });
    if (!response.ok) return { result: 'unreachable' };
    const outcome: GestureOutcome = await response.json();
    return outcome;
  } catch {
    return { result: 'unreachable' };
  }
}

/** The error to show at the element that was used; undefined if there is none. */
export function describeError(
  gesture: Gesture,
  outcome: SendOutcome,
  appName: string,
): string | undefined {
  // Slackbot reports failed commands in the conversation.
  const isReportedBySlackbot = gesture.type === 'send';
  switch (outcome.result) {
    case 'ok':
      return undefined;
    case 'operation_timeout':
      if (isReportedBySlackbot) return undefined;
      return `${appName} did not answer within 3 seconds (operation_timeout). It may still be working on it.`;
    case 'dispatch_failed':
      if (isReportedBySlackbot) return undefined;
      return `${appName} could not be reached (dispatch_failed). Try again.`;
    case 'refused':
      return `Refused: ${outcome.reason}`;
    case 'unreachable':
      return 'The workspace did not answer. Check that the playground is still running.';
  }
}
