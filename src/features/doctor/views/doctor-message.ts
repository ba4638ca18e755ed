import { context, header, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { Finding } from '../finding.ts';

/** Slack's limit is 50 blocks. */
const maxShown = 40;

/** The findings in the order given: problems and warnings with their remedies, then what is fine. */
export function doctorMessage(findings: Finding[]): Message {
  const bad = findings.filter(({ severity }) => severity !== 'ok');
  const good = findings.filter(({ severity }) => severity === 'ok');
  const shown = bad.slice(0, maxShown);
  const hidden = bad.length - shown.length;
  const fine = good.map(({ area, text }) => `:white_check_mark: *${area}:* ${text}`);
  return message([
    header(`${iconOf(findings)} ${summarizeFindings(findings)}`),
    ...shown.map((finding) => section(formatFinding(finding))),
    ...(hidden > 0 ? [context(`${plural(hidden, 'more finding')} not shown.`)] : []),
    ...(fine.length > 0 ? [section(fine.join('\n'))] : []),
  ]);
}

function iconOf(findings: Finding[]): string {
  const has = (severity: Finding['severity']) => findings.some((one) => one.severity === severity);
  if (has('problem')) return '🔴';
  return has('warning') ? '🟡' : '✅';
}

/** "2 problems, 1 warning". */
export function summarizeFindings(findings: Finding[]): string {
  const count = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const parts = [
    ...(problems > 0 ? [plural(problems, 'problem')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'No problems found';
}

function formatFinding({ severity, area, text, remedy }: Finding): string {
  const label = severity === 'problem' ? ':red_circle: *Problem' : ':warning: *Warning';
  return `${label} · ${area}:* ${text}\n${remedy ?? ''}`.trimEnd();
}
