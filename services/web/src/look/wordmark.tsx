/** The two cards of the mark, and the name. */
export function Wordmark() {
  return (
    <span className="wordmark">
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden>
        <rect
          x="3"
          y="3.5"
          width="10.5"
          height="14.7"
          rx="2"
          fill="currentColor"
          opacity=".4"
          transform="rotate(-9 8.2 10.8)"
        />
        <rect x="8.5" y="3.5" width="10.5" height="14.7" rx="2" fill="currentColor" />
        <circle cx="13.75" cy="10.85" r="2.4" fill="var(--vault-ground)" />
      </svg>
      Card Vault
    </span>
  );
}
