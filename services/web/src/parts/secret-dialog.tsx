import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";

/**
 * Shows a secret the one time that it can be seen. It is a property and nothing else: whoever opens
 * the dialog holds it in component state and lets go of it in `onClose`.
 */
export function SecretDialog(props: {
  title: string;
  label: string;
  secret: string | null;
  children: ReactNode;
  onClose: () => void;
}) {
  const clipboard = useClipboard({ timeout: 3_000 });
  return (
    <Modal
      opened={props.secret !== null}
      onClose={props.onClose}
      title={props.title}
      size="lg"
      // A stray click or key must not lose what cannot be shown again.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <TextInput
          label={props.label}
          value={props.secret ?? ""}
          readOnly
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          classNames={{ input: "secret" }}
        />
        <Text>{props.children}</Text>
        {clipboard.error === null ? null : (
          <Text role="alert" c="red">
            The browser did not allow copying. Select the text and copy it by hand.
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={() => clipboard.copy(props.secret)}
          >
            {clipboard.copied ? "Copied" : "Copy"}
          </Button>
          <Button onClick={props.onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
