/** Slack's warning at the element that was used. */
export function Trouble({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p className="trouble" role="alert">
      {message}
    </p>
  );
}
