/** Slack's warning beside what was touched. */
export function Trouble({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p className="trouble" role="alert">
      {message}
    </p>
  );
}
