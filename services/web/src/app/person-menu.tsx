import type { Current } from "@cardvault/contract";
import { Menu, useMantineColorScheme } from "@mantine/core";
import type { MantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import {
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { useSignOut } from "./sign-out.ts";

const schemes: { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
];

/** Who is signed in; the colour scheme; signing out. */
export function PersonMenu({ user }: { user: Current["user"] }) {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();

  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <button type="button" className="account-button">
          <span style={{ minWidth: 0, flex: 1 }}>
            <span className="visually-hidden">Signed in: </span>
            <span className="account-name">{user.name}</span>
            <span className="account-name cell-sub">{user.email}</span>
          </span>
          <IconSelector size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUser size={16} />}
          onClick={() => void navigate({ to: "/settings/profile" })}
        >
          Your profile
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(({ value, label, icon: Shape }) => (
          <Menu.Item
            key={value}
            leftSection={<Shape size={16} />}
            rightSection={
              colorScheme === value ? <IconCheck size={16} aria-label="Chosen" /> : null
            }
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
