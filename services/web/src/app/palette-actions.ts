import type { Current } from "@cardvault/contract";
import { useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import {
  IconArrowsRightLeft,
  IconCameraPlus,
  IconCashRegister,
  IconChecklist,
  IconFileSpreadsheet,
  IconHistory,
  IconKey,
  IconLogout,
  IconMoon,
  IconPrinter,
  IconReceipt,
  IconStack2,
  IconTag,
  IconUserCheck,
  IconUserPlus,
  IconWebhook,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { askFor } from "./asked.ts";
import type { Asked } from "./asked.ts";
import { showJobs } from "./jobs.ts";
import { useSignOut } from "./sign-out.ts";

interface Way {
  words: string;
  /** Other words that somebody may look for it by. */
  also: string;
  icon: Icon;
  to: string;
  search?: Record<string, unknown>;
  asks?: Asked;
  isOwners?: true;
}

/** What leads to a page, and to the dialog there that does it. */
const ways: readonly Way[] = [
  { words: "Import photos", also: "scan upload", icon: IconCameraPlus, to: "/import" },
  {
    words: "Import a list",
    also: "csv excel spreadsheet upload",
    icon: IconFileSpreadsheet,
    to: "/import/csv",
  },
  {
    words: "New batch",
    also: "make create collection",
    icon: IconStack2,
    to: "/inventory/batches",
    search: { new: true },
  },
  {
    words: "Review cards",
    also: "identify candidates",
    icon: IconUserCheck,
    to: "/review",
  },
  {
    words: "Price what is identified",
    also: "pricing asking",
    icon: IconTag,
    to: "/inventory",
    search: { workflow_status: ["identified"] },
  },
  { words: "Move cards", also: "location place scanner", icon: IconArrowsRightLeft, to: "/move" },
  {
    words: "Sell at the counter",
    also: "till scanner",
    icon: IconCashRegister,
    to: "/move",
    search: { mode: "sell" },
  },
  {
    words: "Record a sale",
    also: "sold elsewhere show counter",
    icon: IconReceipt,
    to: "/sales",
    asks: "record_sale",
  },
  {
    words: "Pull sold cards",
    also: "pick ship",
    icon: IconChecklist,
    to: "/sales",
    search: { tab: "pull" },
  },
  {
    words: "Print labels of places",
    also: "barcode location sheet",
    icon: IconPrinter,
    to: "/settings/inventory",
    asks: "place_labels",
  },
  {
    words: "Make an API key",
    also: "new create token",
    icon: IconKey,
    to: "/settings/api",
    asks: "new_key",
    isOwners: true,
  },
  {
    words: "Add a webhook endpoint",
    also: "new create receiver",
    icon: IconWebhook,
    to: "/settings/webhooks",
    asks: "new_endpoint",
    isOwners: true,
  },
  {
    words: "Invite somebody",
    also: "new member person colleague",
    icon: IconUserPlus,
    to: "/settings/account",
    asks: "invite",
    isOwners: true,
  },
];

interface PaletteAction {
  words: string;
  also: string;
  icon: Icon;
  run: () => void;
}

/** What can be done from everywhere, as far as somebody may. */
export function usePaletteActions({ role }: Pick<Current, "role">): PaletteAction[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const scheme = colorScheme === "dark" ? "light" : "dark";
  return [
    ...ways
      .filter(({ isOwners }) => isOwners !== true || role === "owner")
      .map(({ words, also, icon, to, search = {}, asks = null }) => ({
        words,
        also,
        icon,
        run() {
          askFor(asks);
          void navigate({ to, search });
        },
      })),
    { words: "Recent jobs", also: "undo progress", icon: IconHistory, run: () => showJobs(true) },
    {
      words: `Use the ${scheme} colours`,
      also: "theme mode",
      icon: IconMoon,
      run: () => setColorScheme(scheme),
    },
    { words: "Sign out", also: "log out leave", icon: IconLogout, run: () => void signOut() },
  ];
}
