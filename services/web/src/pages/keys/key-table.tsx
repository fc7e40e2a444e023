import type { ApiKey, KeyUsage, LimitClass } from "@cardvault/contract";
import { scopes } from "@cardvault/contract";
import { ActionIcon, Menu } from "@mantine/core";
import {
  IconBan,
  IconCircleCheck,
  IconClockX,
  IconDots,
  IconHourglass,
  IconRefresh,
} from "@tabler/icons-react";
import { Chip } from "../../parts/chip.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";

export function KeyTable(props: {
  keys: readonly ApiKey[];
  /** Of the last minute, by the keys' ids; empty until it is known. */
  usage: ReadonlyMap<string, KeyUsage["classes"]>;
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}) {
  return (
    <div className="table-scroll">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Scopes</th>
            <th scope="col">State</th>
            <th scope="col" title="Requests of the last minute, of those that are allowed">
              Last minute
            </th>
            <th scope="col">Last used</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              classes={props.usage.get(key.id)}
              onRotate={props.onRotate}
              onRevoke={props.onRevoke}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow(props: {
  apiKey: ApiKey;
  classes: KeyUsage["classes"] | undefined;
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}) {
  const key = props.apiKey;
  const isOver = key.status === "revoked" || key.status === "expired";
  return (
    <tr data-ended={isOver || undefined}>
      <td className="fill">
        <span className="clip" title={key.name}>
          {key.name}
        </span>
      </td>
      <td className="mono narrow">
        {key.prefix}…{key.last_four}
      </td>
      <td className="narrow">
        <ScopeWords given={key.scopes} />
      </td>
      <td className="narrow">
        <KeyState apiKey={key} />
      </td>
      <td className="narrow">
        <Usage classes={props.classes} />
      </td>
      <td className="narrow">
        {key.last_used_at === null ? "Never" : <RelativeTime at={key.last_used_at} />}
      </td>
      <td className="narrow">
        <RelativeTime at={key.created_at} />
      </td>
      <td className="narrow">
        {isOver ? null : (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key.name}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {key.status === "active" ? (
                <Menu.Item
                  leftSection={<IconRefresh size={16} />}
                  onClick={() => props.onRotate(key)}
                >
                  Rotate…
                </Menu.Item>
              ) : null}
              <Menu.Item
                color="var(--mantine-color-red-text)"
                leftSection={<IconBan size={16} />}
                onClick={() => props.onRevoke(key)}
              >
                Revoke…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </td>
    </tr>
  );
}

const classWords: Record<LimitClass, string> = { read: "read", write: "write", ai: "AI" };

/** How near a key is to its limits; a class of which nearly all is used is marked. */
function Usage({ classes }: { classes: KeyUsage["classes"] | undefined }) {
  if (classes === undefined) return <>–</>;
  return (
    <span className="key-usage">
      {classes.map(({ class: name, used, limit }) => (
        <span
          key={name}
          data-near={used >= limit * 0.8 || undefined}
          title={`${used.toLocaleString()} of ${limit.toLocaleString()} ${classWords[name]} requests a minute`}
        >
          {used.toLocaleString()}/{limit.toLocaleString()} {classWords[name]}
        </span>
      ))}
    </span>
  );
}

function ScopeWords({ given }: { given: ApiKey["scopes"] }) {
  if (given.length === scopes.length) return "All";
  return (
    <span title={given.join("\n")}>
      {given.length === 1 ? (
        <span className="mono">{given[0]}</span>
      ) : (
        `${given.length} of ${scopes.length}`
      )}
    </span>
  );
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  switch (apiKey.status) {
    case "active":
      return (
        <Chip tone="good" icon={IconCircleCheck}>
          Active
        </Chip>
      );
    case "ending":
      return (
        <>
          <Chip tone="warning" icon={IconHourglass}>
            Replaced
          </Chip>
          {apiKey.expires_at === null ? null : (
            <span className="cell-sub">
              ends <RelativeTime at={apiKey.expires_at} />
            </span>
          )}
        </>
      );
    case "expired":
      return (
        <Chip tone="quiet" icon={IconClockX}>
          Expired
        </Chip>
      );
    case "revoked":
      return (
        <Chip tone="quiet" icon={IconBan}>
          Revoked
        </Chip>
      );
  }
}
