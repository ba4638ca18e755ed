import { bold } from '../../../slack/ui/mrkdwn.ts';

/** How a watch in a list is shown to a person. */
export type ShownFor = {
  mayChange: boolean;
  /** Undefined in a workspace with one connection. */
  connectionName: string | undefined;
};

/** " · *europe*", after what a watch posts; empty in a workspace with one connection. */
export function formatConnection(name: string | undefined): string {
  return name === undefined ? '' : ` · ${bold(name)}`;
}
