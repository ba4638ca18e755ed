import type { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';

/** What an approval guards, as the feature that owns it describes it. All texts are mrkdwn. */
export type ApprovableAction<Payload> = {
  /** `<feature>.<verb>`, stored with the request. */
  name: string;
  payload: z.ZodType<Payload>;
  /** What is asked for, after "asks to": "disable *Ana Silva* …". */
  summary: (payload: Payload) => string;
  /** What people must know before they decide: whom it is about, and that it cannot be undone. */
  details: (payload: Payload) => { label: string; value: string }[];
  warning?: (payload: Payload) => string;
  /** What is true once it has succeeded. */
  done: (payload: Payload) => string;
  /** The button that asks for the opposite, for actions that have one. */
  undo?: (payload: Payload) => { text: string; actionId: string; value: string };
  style: 'primary' | 'danger';
  /** Reads the service: true when there is nothing left to do. */
  isDone: (client: ServiceClient, payload: Payload) => Promise<boolean>;
  execute: (client: ServiceClient, payload: Payload) => Promise<void>;
};

/** An action with its payload inside: how the approvals feature sees actions it knows nothing of. */
export type BoundAction = {
  summary: string;
  details: { label: string; value: string }[];
  warning: string | undefined;
  done: string;
  undo: { text: string; actionId: string; value: string } | undefined;
  style: 'primary' | 'danger';
  isDone: (client: ServiceClient) => Promise<boolean>;
  execute: (client: ServiceClient) => Promise<void>;
};

export type ActionEntry = { name: string; bind: (payload: unknown) => BoundAction };

/** Makes an action storable by name: its payload is parsed when it comes back from the database. */
export function defineAction<Payload>(action: ApprovableAction<Payload>): ActionEntry {
  return {
    name: action.name,
    bind(stored) {
      const payload = action.payload.parse(stored);
      return {
        summary: action.summary(payload),
        details: action.details(payload),
        warning: action.warning?.(payload),
        done: action.done(payload),
        undo: action.undo?.(payload),
        style: action.style,
        isDone: (client) => action.isDone(client, payload),
        execute: (client) => action.execute(client, payload),
      };
    },
  };
}

export type BindAction = (approval: { action: string; payload: unknown }) => BoundAction;

/** Finds stored actions by name. @throws when a stored name is unknown, which is a fault of Belay. */
export function createActionBinder(entries: ActionEntry[]): BindAction {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return ({ action, payload }) => {
    const entry = byName.get(action);
    if (!entry) throw new Error(`no such approvable action: ${action}`);
    return entry.bind(payload);
  };
}
