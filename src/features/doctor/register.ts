import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { admins } from '../../workspace/call.ts';
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
      usage: 'doctor [all]',
      summary: 'Check Slack, the service and the database for problems (admins)',
      needs: admins('Only admins can run this check. Nothing was changed.'),
      isListedFor: ({ person }) => person.isAdmin,
      async run({ teamId, slack, person, text }) {
        const { slackUserId } = person;
        const findings = await examine({ teamId, slack, slackUserId });
        return doctorMessage(findings, { isWhole: text.trim() === 'all' });
      },
    },
  ];
}
