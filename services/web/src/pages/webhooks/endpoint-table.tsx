import type { EndpointHealth, WebhookEndpoint } from "@cardvault/contract";
import { eventTypes } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { EndpointMenu } from "./endpoint-menu.tsx";
import type { OnEndpointAction } from "./endpoint-menu.tsx";
import { EndpointState } from "./endpoint-state.tsx";

/** Which of the events are sent, in a few words. */
export function subscriptionWords(events: readonly string[]): string {
  if (events.length === eventTypes.length) return "All";
  return events.length === 1 ? (events[0] ?? "") : `${events.length} of ${eventTypes.length}`;
}

export function EndpointTable(props: {
  endpoints: readonly WebhookEndpoint[];
  health: readonly EndpointHealth[];
  onAction: OnEndpointAction;
}) {
  const healthOf = new Map(props.health.map((health) => [health.endpoint_id, health]));
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Events</th>
            <th scope="col">State</th>
            <th scope="col" className="number">
              On their way
            </th>
            <th scope="col" className="number">
              Dropped
            </th>
            <th scope="col">Added</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.endpoints.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              health={healthOf.get(endpoint.id)}
              onAction={props.onAction}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EndpointRow(props: {
  endpoint: WebhookEndpoint;
  health: EndpointHealth | undefined;
  onAction: OnEndpointAction;
}) {
  const { endpoint, health } = props;
  const { id, url, description, events } = endpoint;
  return (
    <tr>
      <td className="fill">
        <Link to="/settings/webhooks/$id" params={{ id }} className="clip mono" title={url}>
          {url}
        </Link>
        {description === null ? null : <span className="cell-sub clip">{description}</span>}
      </td>
      <td className="narrow">
        <span className={events.length === 1 ? "mono" : undefined} title={events.join("\n")}>
          {subscriptionWords(events)}
        </span>
      </td>
      <td className="narrow">
        <EndpointState endpoint={endpoint} health={health} />
      </td>
      <td className="narrow number">
        <Link
          to="/settings/webhooks/$id"
          params={{ id }}
          search={{ status: ["pending", "retrying"] }}
        >
          {countWords(health?.undelivered)}
          <span className="visually-hidden"> on their way to {url}</span>
        </Link>
      </td>
      <td className="narrow number">
        <Link to="/events/dropped" search={{ endpoint: id }}>
          {countWords(health?.dropped)}
          <span className="visually-hidden"> dropped events of {url}</span>
        </Link>
      </td>
      <td className="narrow">
        <RelativeTime at={endpoint.created_at} />
      </td>
      <td className="narrow">
        <EndpointMenu endpoint={endpoint} onAction={props.onAction} />
      </td>
    </tr>
  );
}

/** The service stops counting there. */
const mostCounted = 10_000;

export function countWords(count: number | undefined): string {
  if (count === undefined) return "…";
  return count >= mostCounted ? `${mostCounted.toLocaleString()}+` : count.toLocaleString();
}
