import "./labels-dialog.css";
import type { LabelPreview, LabelPreviewInput, LabelTemplateName } from "@cardvault/contract";
import { Button, Group, Modal, NativeSelect, NumberInput, Skeleton, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { saveAnswer } from "../app/save-answer.ts";
import { trpc } from "../app/trpc.ts";
import { isUnread, NotRead } from "./not-read.tsx";
import { ProblemNote, ProblemPanel } from "./problem-panel.tsx";
import { counted } from "./words.ts";

type Subjects = LabelPreviewInput["subjects"];
type Order = Required<Pick<LabelPreviewInput, "barcode" | "skip" | "copies">> & {
  template: LabelTemplateName;
};

const barcodeWords: Record<Order["barcode"], string> = {
  code128: "Code 128",
  qr: "QR code",
  datamatrix: "Data Matrix",
  none: "No barcode",
};
const barcodes = Object.keys(barcodeWords) as Order["barcode"][];
const previewWaitMs = 250;
const storageKey = "vault.labels";

/** The sheet that was printed on last is the one in the printer. */
function lastOrder(): Order {
  const first: Order = { template: "avery_l7160", barcode: "code128", skip: 0, copies: 1 };
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Order>;
    return {
      ...first,
      template: kept.template ?? first.template,
      barcode: kept.barcode ?? "code128",
    };
  } catch {
    return first;
  }
}

/** Labels for cards or places: the first page as it will be printed, then the document. */
export function LabelsDialog(props: {
  /** What the labels are of; null while the dialog is closed. */
  subjects: Subjects | null;
  title: string;
  onClose: () => void;
}) {
  return (
    <Modal opened={props.subjects !== null} onClose={props.onClose} title={props.title} size="xl">
      {props.subjects === null ? null : (
        <LabelsForm subjects={props.subjects} onClose={props.onClose} />
      )}
    </Modal>
  );
}

function LabelsForm({ subjects, onClose }: { subjects: Subjects; onClose: () => void }) {
  const templates = useQuery(trpc.labels.templates.queryOptions());
  const [order, setOrder] = useState<Order>(lastOrder);
  const [asked] = useDebouncedValue(order, previewWaitMs);
  const preview = useQuery(
    trpc.labels.preview.queryOptions(
      { subjects, ...asked },
      { placeholderData: keepPreviousData, retry: false },
    ),
  );
  const print = useMutation({
    mutationFn: () =>
      saveAnswer("/inventory/labels", { subjects, ...order, format: "pdf" }, "labels.pdf"),
    onSuccess: () => localStorage.setItem(storageKey, JSON.stringify(order)),
  });
  const change = (next: Partial<Order>): void => setOrder((before) => ({ ...before, ...next }));
  const sheet = templates.data?.data.find(({ name }) => name === order.template)?.template;
  const onSheet = (sheet?.columns ?? 1) * (sheet?.rows ?? 1);
  return (
    <Stack gap="md">
      <div className="form-row">
        <NativeSelect
          label="Sheet or printer"
          data-autofocus
          data={
            templates.data?.data.map(({ name, title }) => ({ value: name, label: title })) ?? [
              { value: order.template, label: isUnread(templates) ? "Not loaded" : "Loading…" },
            ]
          }
          disabled={templates.data === undefined}
          value={order.template}
          onChange={(event) => {
            const found = templates.data?.data.find(
              ({ name }) => name === event.currentTarget.value,
            );
            if (found !== undefined) change({ template: found.name, skip: 0 });
          }}
        />
        <NativeSelect
          label="Barcode"
          data={barcodes.map((value) => ({ value, label: barcodeWords[value] }))}
          value={order.barcode}
          onChange={(event) => {
            const barcode = barcodes.find((one) => one === event.currentTarget.value);
            if (barcode !== undefined) change({ barcode });
          }}
        />
        {onSheet > 1 ? (
          <NumberInput
            label="Labels used up on the first sheet"
            w={210}
            min={0}
            max={onSheet - 1}
            allowDecimal={false}
            value={order.skip}
            onChange={(value) => change({ skip: Math.min(onSheet - 1, Number(value) || 0) })}
          />
        ) : null}
        <NumberInput
          label="Of each"
          w={88}
          min={1}
          max={100}
          allowDecimal={false}
          value={order.copies}
          onChange={(value) => change({ copies: Math.min(100, Math.max(1, Number(value) || 1)) })}
        />
      </div>
      <NotRead reading={templates} what="The sheets" />
      {preview.data !== undefined ? (
        <Sheet preview={preview.data} />
      ) : preview.isError ? (
        <ProblemPanel
          error={preview.error}
          what="The preview"
          onRetry={() => void preview.refetch()}
        />
      ) : (
        <Skeleton height={360} aria-busy="true" />
      )}
      <ProblemNote error={print.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          disabled={(preview.data?.labels ?? 0) === 0}
          loading={print.isPending}
          onClick={() => print.mutate()}
        >
          Download PDF
        </Button>
      </Group>
    </Stack>
  );
}

/** The first page. It is shown as a picture, so that nothing in it can act. */
function Sheet({ preview }: { preview: LabelPreview }) {
  const address = `data:image/svg+xml,${encodeURIComponent(preview.svg)}`;
  const words = `${counted(preview.labels, "label")} on ${counted(preview.pages, "page")}`;
  return (
    <figure className="label-sheet">
      <img src={address} alt="The first page of the labels" />
      <figcaption>
        {words}
        {preview.is_cut ? ". There are more: a document holds 5,000." : ""}
        {preview.qr_instead > 0
          ? `. ${counted(preview.qr_instead, "label")} of this page ${preview.qr_instead === 1 ? "has" : "have"} a QR code, because the bars would not fit.`
          : ""}
        {preview.not_covered === ""
          ? ""
          : `. No font has these characters, which are printed as a box: ${preview.not_covered}`}
      </figcaption>
    </figure>
  );
}
