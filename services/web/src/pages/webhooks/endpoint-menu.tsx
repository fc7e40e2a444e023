import type { WebhookEndpoint } from "@cardvault/contract";
import { ActionIcon, Menu } from "@mantine/core";
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from "@tabler/icons-react";
import type { EndpointAction } from "./endpoint-dialogs.tsx";

export type OnEndpointAction = (kind: EndpointAction, endpoint: WebhookEndpoint) => void;

export function EndpointMenu(props: { endpoint: WebhookEndpoint; onAction: OnEndpointAction }) {
  const { endpoint, onAction } = props;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Actions for ${endpoint.url}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={16} />}
          onClick={() => onAction("edit", endpoint)}
        >
          Edit…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRefresh size={16} />}
          disabled={endpoint.secret_switches_at !== null}
          onClick={() => onAction("rotate", endpoint)}
        >
          Rotate secret…
        </Menu.Item>
        <Menu.Item
          leftSection={
            endpoint.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />
          }
          onClick={() => onAction("switch", endpoint)}
        >
          {endpoint.enabled ? "Disable…" : "Enable…"}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--mantine-color-red-text)"
          leftSection={<IconTrash size={16} />}
          onClick={() => onAction("delete", endpoint)}
        >
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
