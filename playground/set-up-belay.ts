import { type Actor, actAs } from './act-as.ts';
import { people } from './people.ts';
import type { ReferenceService } from './service/start-service.ts';
import type { LocalSlack } from './slack/local-slack.ts';
import type { OpenView } from './slack/protocol.ts';

type SetUpOptions = {
  approvers?: string[];
  tokenOwner?: string;
};

/** Runs setup as Cleo: connects Belay to the first portal. */
export async function setUpBelay(
  slack: LocalSlack,
  service: ReferenceService,
  { approvers = [people.ben], tokenOwner }: SetUpOptions = {},
): Promise<void> {
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const cleo = actAs(slack, people.cleo);
  await cleo.send('ops', '/belay setup');
  const form = await cleo.seeDialog('Portal where you sign in');
  await cleo.submit(form, { regionId: { input: portal.id }, token: { input: portal.token } });
  const connected = await cleo.seeDialog('Belay is set up');
  const settings =
    tokenOwner === undefined ? connected : await nameOwner(cleo, connected, tokenOwner);
  // The last, because from then on a second person decides.
  await cleo.press(settings, 'Change: Approvers');
  const field = await cleo.seeDialog('Choose who approves requests');
  await cleo.submit(field, { approvers: { input: approvers } });
  await cleo.close(await cleo.seeDialog('Belay is set up'));
}

async function nameOwner(admin: Actor, settings: OpenView, tokenOwner: string): Promise<OpenView> {
  await admin.press(settings, 'Change: Token owner');
  const field = await admin.seeDialog('never disables or deletes this user');
  await admin.submit(field, { tokenOwner: { input: tokenOwner } });
  return admin.seeDialog('Belay is set up');
}
