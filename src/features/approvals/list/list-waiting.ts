import type { Person } from '../../../slack/api/person.ts';
import type { BindAction } from '../bind-action.ts';
import type { ApprovalStore, LostBySetup } from '../store/approval-store.ts';

/** `summary` is mrkdwn: "disable *Kim Lee*". */
export type WaitingRequest = {
  id: string;
  summary: string;
  requester: string;
  action: string;
  isSubject: (person: Person) => 'no' | 'yes' | 'unknown';
};

/** The waiting requests that a save of the setup voids. */
export async function listWaiting(
  { teamId, lost }: { teamId: string; lost: LostBySetup },
  { store, bind }: { store: Pick<ApprovalStore, 'listWaiting'>; bind: BindAction },
): Promise<WaitingRequest[]> {
  const waiting = await store.listWaiting(teamId, lost);
  return waiting.map((approval) => {
    const { id, requester, action, snapshot } = approval;
    const { summary, isSubject } = bind(approval);
    return {
      id,
      summary,
      requester,
      action,
      // Requests of early versions have no snapshot, and can't run anyway.
      isSubject: (person) => (snapshot === undefined ? 'no' : isSubject(snapshot, person)),
    };
  });
}
