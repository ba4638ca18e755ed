import { type ReactNode, useId, useState } from 'react';
import type {
  AlertChange,
  alertsPath,
  ClockChange,
  ControlAnswer,
  clockPath,
  PolicyChange,
  policiesPath,
} from '../controls/protocol.ts';
import { isDemo } from './demo.ts';
import { ErrorMessage } from './error-message.tsx';
import { formatSlackDate } from './mrkdwn/format-date.ts';
import { useNow } from './use-now.ts';
import { useWorkspace } from './workspace-context.ts';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const ALERTS: typeof alertsPath = '/playground/alerts';
const CLOCK: typeof clockPath = '/playground/clock';
const POLICIES: typeof policiesPath = '/playground/policies';

type Control =
  | { text: string; path: typeof ALERTS; change: AlertChange }
  | { text: string; path: typeof POLICIES; change: PolicyChange }
  | { text: string; path: typeof CLOCK; change: ClockChange };

const controls: readonly Control[] = [
  { text: 'Raise an alert', path: ALERTS, change: { change: 'raise', count: 1 } },
  { text: 'Raise 100 alerts', path: ALERTS, change: { change: 'raise', count: 100 } },
  { text: 'Raise the newest again', path: ALERTS, change: { change: 'raise-again' } },
  { text: 'Clear the newest', path: ALERTS, change: { change: 'clear' } },
  {
    text: 'Change a policy outside Belay',
    path: POLICIES,
    change: { change: 'retention' },
  },
];

const clockControls: readonly Control[] = [
  { text: 'Forward 1 hour', path: CLOCK, change: { forward: 'hour' } },
  { text: 'Forward 1 day', path: CLOCK, change: { forward: 'day' } },
];

/** Buttons that change alerts and policies in the reference service. */
export function ServiceControls() {
  return (
    <Controls title="Service" controls={controls}>
      Change alerts and policies in the service. A watch (<code>/belay watch all</code>,{' '}
      <code>/belay watch policies</code>) posts changes,{' '}
      {isDemo() ? 'here within seconds' : 'alerts within 20 seconds'}.
    </Controls>
  );
}

/** Buttons that move the clock of Belay, Slack and the service. */
export function ClockControls() {
  const { timeZone } = useWorkspace().me;
  const now = useNow(true);
  const reader = { timeZone, now };
  const time = formatSlackDate(now.getTime() / 1000, '{date_long} at {time}', reader);
  return (
    <Controls title="Clock" controls={clockControls}>
      <time dateTime={now.toISOString()}>{time}</time>. Digests, reminders and what ends or expires
      follow within 15 seconds.
    </Controls>
  );
}

type Props = { title: string; controls: readonly Control[]; children: ReactNode };

function Controls({ title, controls, children }: Props) {
  const headingId = useId();
  const [pending, setPending] = useState<string>();
  const [answer, setAnswer] = useState<ControlAnswer>();

  async function press(control: Control): Promise<void> {
    setPending(control.text);
    // Cleared first, so that a screen reader announces the same text again.
    setAnswer(undefined);
    setAnswer(await sendChange(control));
    setPending(undefined);
  }

  return (
    <section className="service-controls" aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <p>{children}</p>
      {controls.map((control) => (
        <button
          key={control.text}
          type="button"
          className="button"
          aria-busy={pending === control.text}
          onClick={() => void press(control)}
        >
          {control.text}
        </button>
      ))}
      <p role="status">{answer && 'said' in answer ? answer.said : ''}</p>
      <ErrorMessage message={answer && 'error' in answer ? answer.error : undefined} />
    </section>
  );
}

async function sendChange({ path, change }: Control): Promise<ControlAnswer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    const answer: ControlAnswer = await response.json();
    return answer;
  } catch {
    return { error: "Couldn't reach the playground. Check that the playground is still running." };
  }
}
