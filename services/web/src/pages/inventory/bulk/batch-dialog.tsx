import { Modal, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { BatchSelect } from "../../batches/batch-select.tsx";
import type { TaskProps } from "./bulk-dialog.tsx";
import { TaskFoot } from "./task-foot.tsx";

/** Into an open batch, or out of whichever they are in. */
export function BatchDialog(props: TaskProps) {
  const [way, setWay] = useState<"in" | "out">("in");
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Modal opened onClose={props.onClose} title={`Batch of ${props.what}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (way === "out") props.onStart({ type: "remove_from_batch" });
          else if (chosen !== null) props.onStart({ type: "put_in_batch", batch_id: chosen });
        }}
      >
        <Stack gap="md">
          <Radio.Group
            aria-label="What is done"
            value={way}
            onChange={(value) => setWay(value === "out" ? "out" : "in")}
          >
            <Stack gap={8}>
              <Radio size="xs" data-autofocus value="in" label="Put them in a batch" />
              <Radio size="xs" value="out" label="Take them out of their batch" />
            </Stack>
          </Radio.Group>
          {way === "in" ? <BatchSelect label="Batch" value={chosen} onChange={setChosen} /> : null}
          <TaskFoot
            confirm={way === "in" ? "Put them there" : "Take them out"}
            isReady={way === "out" || chosen !== null}
            isPending={props.isPending}
            error={props.error}
            onClose={props.onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
