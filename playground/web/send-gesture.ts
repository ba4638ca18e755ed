import type { Gesture, GestureOutcome, paths } from '../slack/protocol.ts';
import { addressFor } from './use-snapshot.ts';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const GESTURES: typeof paths.gestures = '/local/gestures';

/** `unreachable`: the local Slack did not answer, so the outcome is unknown. */
type SendOutcome = GestureOutcome | { result: 'unreachable' };

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
      return `${appName} didn't answer within 3 seconds (operation_timeout). ${appName} may still act on it. Check before you try again.`;
    case 'dispatch_failed':
      if (isReportedBySlackbot) return undefined;
      return `Couldn't reach ${appName} (dispatch_failed). Try again.`;
    case 'refused':
      return `Not done: ${outcome.reason}`;
    case 'unreachable':
      return "Couldn't reach the playground. Check that the playground is still running.";
  }
}
