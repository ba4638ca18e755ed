import { useState } from 'react';
import type { Gesture } from '../slack/protocol.ts';
import { describeError, sendGesture } from './send-gesture.ts';
import { useWorkspace } from './workspace-context.ts';

type GestureError = { place: string; message: string };

export type Gestures = {
  /** Resolves to whether the gesture succeeded. `place` identifies the element that was used. */
  send: (place: string, gesture: Gesture) => Promise<boolean>;
  isPending: (place: string) => boolean;
  errorAt: (place: string) => string | undefined;
};

/** Sends gestures for a part of the page, and tracks which are pending and which failed. */
export function useGestures(): Gestures {
  const { me, appName } = useWorkspace();
  const [pending, setPending] = useState<readonly string[]>([]);
  const [error, setError] = useState<GestureError>();

  async function send(place: string, gesture: Gesture): Promise<boolean> {
    setPending((places) => [...places, place]);
    setError(undefined);
    const outcome = await sendGesture(me.slackUserId, gesture);
    setPending((places) => places.toSpliced(places.indexOf(place), 1));
    const message = describeError(gesture, outcome, appName);
    if (message) setError({ place, message });
    return message === undefined;
  }

  return {
    send,
    isPending: (place) => pending.includes(place),
    errorAt: (place) => (error?.place === place ? error.message : undefined),
  };
}
