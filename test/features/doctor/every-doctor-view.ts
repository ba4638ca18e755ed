import { ok, problem, warning } from '../../../src/features/doctor/finding.ts';
import { doctorMessage } from '../../../src/features/doctor/views/doctor-message.ts';
import { code, safe } from '../../../src/slack/ui/mrkdwn.ts';

/** The message of `/belay doctor`, with `text` wherever the service or a name can put text. */
export function everyDoctorView(text: string): Record<string, unknown[]> {
  const many = Array.from({ length: 50 }, () => problem('Service', safe(text), 'Do this.'));
  const few = [warning('Channels', code(text), 'Do that.'), ok('Database', code(text))];
  return { doctorMessage: [doctorMessage([...many, ...few]), doctorMessage(few)] };
}
