import { useId, useState } from 'react';
import type {
  AlertChange,
  alertsPath,
  ControlAnswer,
  PolicyChange,
  policiesPath,
} from '../controls/protocol.ts';
import { ErrorMessage } from './error-message.tsx';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const ALERTS: typeof alertsPath = '/playground/alerts';
const POLICIES: typeof policiesPath = '/playground/policies';

type Control =
  | { text: string; path: typeof ALERTS; change: AlertChange }
  | { text: string; path: typeof POLICIES; change: PolicyChange };

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

/** Buttons that change alerts and policies in the reference service. */
export function ServiceControls() {
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
      <h2 id={headingId}>Service</h2>
      <p>
        Change alerts and policies in the service. A watch (<code>/belay watch all</code>,{' '}
        <code>/belay watch policies</code>) posts the change, alerts within 20 seconds.
      </p>
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
