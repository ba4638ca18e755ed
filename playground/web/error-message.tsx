/** An error beside the element that was used. */
export function ErrorMessage({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p className="error-message" role="alert">
      {message}
    </p>
  );
}
