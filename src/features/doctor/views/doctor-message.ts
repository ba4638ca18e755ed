import {
  actions,
  context,
  header,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { commandButtons } from '../../../slack/ui/command-button.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { Finding } from '../finding.ts';

const maxShort = 5;
/** Slack's limit is 50 blocks. */
const maxLong = 40;

/**
 * The findings in the order given: the first problems and warnings with their remedies, or all of them
 * and what is fine.
 */
export function doctorMessage(
  findings: Finding[],
  { isWhole = false }: { isWhole?: boolean } = {},
): Message {
  const bad = findings.filter(({ severity }) => severity !== 'ok');
  const good = findings.filter(({ severity }) => severity === 'ok');
  const shown = bad.slice(0, isWhole ? maxLong : maxShort);
  const hidden = bad.length - shown.length;
  const fine = good.map(({ area, text }) => `:white_check_mark: *${area}:* ${text}`);
  const showAll = commandButtons([{ text: 'Show all', line: 'doctor all' }]);
  return message([
    header(`${iconOf(findings)} ${summarizeFindings(findings)}`),
    ...shown.map((finding) => section(formatFinding(finding))),
    ...(hidden > 0 ? [context(`${plural(hidden, 'more finding')} not shown.`)] : []),
    ...(isWhole && fine.length > 0 ? [section(fine.join('\n'))] : []),
    ...(isWhole ? [] : [actions(showAll)]),
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
