import { ok, problem, warning } from '../../../src/features/doctor/finding.ts';
import { doctorMessage } from '../../../src/features/doctor/views/doctor-message.ts';
import { code, safe } from '../../../src/slack/ui/mrkdwn.ts';

/** The message of `/belay doctor`, with `text` wherever the service or a name can put text. */
export function everyDoctorView(text: string): Record<string, unknown[]> {
  const remedy = 'Check the database server and `DATABASE_URL`.';
  const service = { ...problem(safe(text), remedy), area: 'Service' };
  const many = Array.from({ length: 50 }, () => service);
  const few = [
    { ...warning(code(text), remedy), area: 'Channels' },
    { ...ok(code(text)), area: 'Database' },
  ];
  const fine = [{ ...ok('PostgreSQL 18.1 · 2 ms'), area: 'Database' }];
  const all = [[...many, ...few], few, fine];
  return {
    doctorMessage: all.flatMap((findings) =>
      [false, true].map((isWhole) => doctorMessage(findings, { isWhole })),
    ),
  };
}
