/** What one POST took, each part from the end of the part before. */
export interface Timings {
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  total_ms: number;
}

const parts = [
  ["dns_ms", "DNS"],
  ["connect_ms", "Connect"],
  ["tls_ms", "TLS"],
  ["first_byte_ms", "First byte"],
] as const;

/** The same in a line: `DNS 2, Connect 4, TLS 11, First byte 20`. */
export function timingWords(timings: Timings): string {
  return parts
    .flatMap(([key, label]) => (timings[key] === null ? [] : [`${label} ${timings[key]}`]))
    .join(", ");
}

/** The parts of an attempt as a bar, with the figures beneath. A part that was not reached is left out. */
export function TimingsBar({ timings }: { timings: Timings }) {
  const reached = parts.flatMap(([key, label]) => {
    const ms = timings[key];
    return ms === null ? [] : [{ key, label, ms }];
  });
  const sum = reached.reduce((total, { ms }) => total + ms, 0);
  const whole = Math.max(timings.total_ms, sum, 1);
  return (
    <div className="timings">
      <div className="timings-bar" aria-hidden>
        {reached.map(({ key, ms }) => (
          <span key={key} data-part={key} style={{ width: `${(ms / whole) * 100}%` }} />
        ))}
        <span data-part="rest" style={{ flex: 1 }} />
      </div>
      <dl className="timings-figures">
        {reached.map(({ key, label, ms }) => (
          <div key={key}>
            <dt>
              <span className="timings-key" data-part={key} aria-hidden />
              {label}
            </dt>
            <dd>{ms} ms</dd>
          </div>
        ))}
        <div>
          <dt>Total</dt>
          <dd>
            <strong>{timings.total_ms.toLocaleString()} ms</strong>
          </dd>
        </div>
      </dl>
    </div>
  );
}
