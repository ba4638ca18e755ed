import { COMPOSER_ID } from './composer.tsx';

/** The address has a conversation after its `#`, so the link moves the focus without being followed. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${COMPOSER_ID}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(COMPOSER_ID)?.focus();
      }}
    >
      Skip to message composer
    </a>
  );
}
