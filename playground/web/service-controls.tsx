import { useId, useState } from 'react';
import type { AlertAnswer, AlertChange, alertsPath } from '../controls/protocol.ts';
import { ErrorMessage } from './error-message.tsx';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const ALERTS: typeof alertsPath = '/playground/alerts';

const buttons: readonly { text: string; change: AlertChange }[] = [
  { text: 'Raise an alert', change: { change: 'raise', count: 1 } },
  { text: 'Raise 100 alerts', change: { change: 'raise', count: 100 } },
  { text: 'Raise the newest again', change: { change: 'raise-again' } },
  { text: 'Clear the newest', change: { change: 'clear' } },
];

/** Buttons that change alerts in the reference service. */
export function ServiceControls() {
  const headingId = useId();
  const [pending, setPending] = useState<string>();
  const [answer, setAnswer] = useState<AlertAnswer>();

  async function press(text: string, change: AlertChange): Promise<void> {
    setPending(text);
    // Cleared first, so that a screen reader announces the same text again.
    setAnswer(undefined);
    setAnswer(await sendChange(change));
    setPending(undefined);
  }

  return (
    <section className="service-controls" aria-labelledby={headingId}>
      <h2 id={headingId}>Service</h2>
      <p>
        Change alerts in the service. A watch (<code>/belay watch all</code>) posts them within 20
        seconds.
      </p>
      {buttons.map(({ text, change }) => (
        <button
          key={text}
          type="button"
          className="button"
          aria-busy={pending === text}
          onClick={() => void press(text, change)}
        >
          {text}
        </button>
      ))}
      <p role="status">{answer && 'said' in answer ? answer.said : ''}</p>
      <ErrorMessage message={answer && 'error' in answer ? answer.error : undefined} />
    </section>
  );
}

async function sendChange(change: AlertChange): Promise<AlertAnswer> {
  try {
    const response = await fetch(ALERTS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    const answer: AlertAnswer = await response.json();
    return answer;
  } catch {
    return { error: "Couldn't reach the playground. Check that the playground is still running." };
  }
}
