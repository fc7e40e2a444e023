import type { WebhookEndpoint } from "@cardvault/contract";
import { useState } from "react";
import type { ReactNode } from "react";
import { refreshEndpoints } from "../../app/refresh.ts";
import { SecretDialog } from "../../parts/secret-dialog.tsx";
import { DeleteEndpointDialog } from "./delete-endpoint-dialog.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { RotateSecretDialog } from "./rotate-secret-dialog.tsx";
import { SwitchEndpointDialog } from "./switch-endpoint-dialog.tsx";

export type EndpointAction = "edit" | "rotate" | "switch" | "delete";
type Action = { kind: "create" } | { kind: EndpointAction; endpoint: WebhookEndpoint };

/** Everything that is done to an endpoint in a dialog, and the secret that some of it makes. */
export function useEndpointDialogs(onDeleted: () => void = () => undefined): {
  open: (action: Action) => void;
  dialogs: ReactNode;
} {
  const [action, setAction] = useState<Action | null>(null);
  // The only place that ever holds a secret: not the cache, not storage, not the address.
  const [secret, setSecret] = useState<string | null>(null);

  const close = () => setAction(null);
  const refresh = () => void refreshEndpoints();
  const showSecret = (made: string) => {
    close();
    setSecret(made);
    refresh();
  };
  const of = (kind: EndpointAction) => (action?.kind === kind ? action.endpoint : null);
  const dialogs = (
    <>
      <EndpointDialog
        opened={action?.kind === "create" || action?.kind === "edit"}
        endpoint={of("edit")}
        onClose={close}
        onMade={showSecret}
        onSaved={refresh}
      />
      <RotateSecretDialog endpoint={of("rotate")} onClose={close} onMade={showSecret} />
      <SwitchEndpointDialog endpoint={of("switch")} onClose={close} onDone={refresh} />
      <DeleteEndpointDialog
        endpoint={of("delete")}
        onClose={close}
        onDone={() => {
          onDeleted();
          refresh();
        }}
      />
      <SecretDialog
        title="Signing secret"
        label="Secret"
        secret={secret}
        onClose={() => setSecret(null)}
      >
        Your receiver verifies the X-Vault-Signature header with it. Copy it now: it cannot be shown
        again.
      </SecretDialog>
    </>
  );
  return { open: setAction, dialogs };
}
