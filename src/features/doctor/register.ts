import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { isAdmin } from '../workspaces/index.ts';
import type { Examined } from './examine.ts';
import type { Finding } from './finding.ts';
import { doctorMessage } from './views/doctor-message.ts';

/** `/belay doctor`, for admins: what is wrong with this installation, and what to do about it. */
export function registerDoctor({
  examine,
}: {
  examine: (examined: Examined) => Promise<Finding[]>;
}): Subcommand[] {
  return [
    {
      name: 'doctor',
      about: 'workspace',
      usage: 'doctor',
      summary: 'Check Slack, the service and the database for problems (admins)',
      adminsOnly: true,
      async run({ teamId, slack, person }) {
        if (!isAdmin(person)) return notice(adminsOnly);
        const { slackUserId } = person;
        return doctorMessage(await examine({ teamId, slack, slackUserId }));
      },
    },
  ];
}

const adminsOnly = 'Only admins can run this check. Nothing was changed.';
