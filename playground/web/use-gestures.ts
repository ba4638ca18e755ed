import { useState } from 'react';
import type { Gesture } from '../slack/protocol.ts';
import { describeTrouble, sendGesture } from './send-gesture.ts';
import { useWorkspace } from './workspace-context.ts';

type Trouble = { place: string; message: string };

export type Gestures = {
  /** Resolves to whether the gesture succeeded. `place` identifies the element that was used. */
  send: (place: string, gesture: Gesture) => Promise<boolean>;
  isPending: (place: string) => boolean;
  troubleAt: (place: string) => string | undefined;
};

/** Sends the gestures of a part of the page, and tracks which are pending and which failed. */
export function useGestures(): Gestures {
  const { me, appName } = useWorkspace();
  const [pending, setPending] = useState<readonly string[]>([]);
  const [trouble, setTrouble] = useState<Trouble>();

  async function send(place: string, gesture: Gesture): Promise<boolean> {
    setPending((places) => [...places, place]);
    setTrouble(undefined);
    const outcome = await sendGesture(me.slackUserId, gesture);
    setPending((places) => places.toSpliced(places.indexOf(place), 1));
    const message = describeTrouble(gesture, outcome, appName);
    if (message) setTrouble({ place, message });
    return message === undefined;
  }

  return {
    send,
    isPending: (place) => pending.includes(place),
    troubleAt: (place) => (trouble?.place === place ? trouble.message : undefined),
  };
}
