import { actAs } from './act-as.ts';
import { people } from './people.ts';
import type { ReferenceService } from './service/start-service.ts';
import type { LocalSlack } from './slack/local-slack.ts';

/** Runs setup as Cleo: connects Belay to the first portal, with Ben as approver unless given. */
export async function setUpBelay(
  slack: LocalSlack,
  service: ReferenceService,
  approvers: string[] = [people.ben],
): Promise<void> {
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const cleo = actAs(slack, people.cleo);
  await cleo.send('ops', '/belay setup');
  const form = await cleo.seeDialog('Portal where you sign in');
  await cleo.submit(form, { regionId: { input: portal.id }, token: { input: portal.token } });
  const settings = await cleo.seeDialog('Belay is set up');
  await cleo.press(settings, 'Change: Approvers');
  const field = await cleo.seeDialog('Choose who approves requests');
  await cleo.submit(field, { approvers: { input: approvers } });
  await cleo.close(await cleo.seeDialog('Belay is set up'));
}
