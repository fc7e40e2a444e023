import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./look/look.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./app/router.tsx";
import { listenForScans } from "./app/scan-keys.ts";
import { queryClient } from "./app/trpc.ts";
import { cssVariablesResolver, theme } from "./look/theme.ts";

const root = document.getElementById("root");
// Before anybody else: no key of a scan comes to anybody.
listenForScans();
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Notifications position="bottom-right" autoClose={6_000} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
