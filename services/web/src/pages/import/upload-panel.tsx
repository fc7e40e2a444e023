import { ActionIcon, Button, Progress, Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconClockPause, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Chip } from "../../parts/chip.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { isUnderWay } from "./photo-upload.ts";
import type { FileState, PhotoUpload, UploadFile, UploadState } from "./photo-upload.ts";

const mostListed = 100;
const megabyte = 1_000_000;

/** How far the photos are, all together and each; what was refused, and why. */
export function UploadPanel({ upload, state }: { upload: PhotoUpload; state: UploadState }) {
  const [isListed, setIsListed] = useState(false);
  const { files } = state;
  if (files.length === 0) return null;
  const refused = files.filter((file) => file.state === "refused");
  const underWay = files.filter((file) => isUnderWay(file.state));
  return (
    <section className="panel upload-panel" aria-label="Upload">
      <Total state={state} left={underWay.length} />
      {state.link === "offline" ? (
        <div className="upload-line">
          <Chip tone="warning" icon={IconClockPause}>
            The service cannot be reached
          </Chip>
          <span className="cell-sub">It goes on by itself; nothing is sent twice.</span>
          <Button size="compact-xs" variant="default" onClick={upload.resume}>
            Try now
          </Button>
        </div>
      ) : state.link === "paused" ? (
        <Chip tone="warning" icon={IconClockPause}>
          Sign in again, in this account, and it goes on
        </Chip>
      ) : null}
      {state.isKept || underWay.length === 0 ? null : (
        <span className="cell-sub">
          These photos are too large to be kept in this browser: leave the page open until they are
          sent, or drop the same folder again after a reload.
        </span>
      )}
      <ProblemNote error={state.problem} />
      {refused.length === 0 ? null : <Refused upload={upload} files={refused} />}
      {underWay.length === 0 ? null : (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={isListed}
            onClick={() => setIsListed((before) => !before)}
          >
            {isListed ? "Hide each file" : "Show each file"}
          </Button>
          {isListed ? <FileList files={underWay} /> : null}
        </div>
      )}
    </section>
  );
}

function Total({ state: { files }, left }: { state: UploadState; left: number }) {
  const meant = files.filter((file) => file.state !== "refused");
  const bytes = meant.reduce((sum, { size }) => sum + size, 0);
  const done = meant.reduce((sum, file) => sum + doneBytes(file), 0);
  const known = files.filter((file) => file.state === "known").length;
  const reading = files.filter((file) => file.state === "reading").length;
  return (
    <>
      <Progress.Root size={8}>
        <Progress.Section
          aria-label="Upload"
          value={bytes === 0 ? 100 : Math.min(100, (done / bytes) * 100)}
          {...(left === 0 ? { color: "green" } : {})}
        />
      </Progress.Root>
      <output>
        {left === 0
          ? `${counted(meant.length, "photo")} here`
          : `${(meant.length - left).toLocaleString()} of ${counted(meant.length, "photo")}, ${megabytes(done)} of ${megabytes(bytes)} MB`}
        {reading > 0 ? `, reading ${reading.toLocaleString()}` : ""}
        {known > 0 ? `, ${known.toLocaleString()} known already and not sent` : ""}
      </output>
    </>
  );
}

function doneBytes({ state, size, sentBytes }: UploadFile): number {
  return state === "here" || state === "known" ? size : Math.min(size, sentBytes);
}

function megabytes(bytes: number): string {
  return (bytes / megabyte).toLocaleString(undefined, { maximumFractionDigits: 1 });
}

function Refused({ upload, files }: { upload: PhotoUpload; files: readonly UploadFile[] }) {
  return (
    <div role="alert">
      <Chip tone="bad" icon={IconAlertTriangle}>
        {`${counted(files.length, "file")} could not be taken`}
      </Chip>
      <ul className="upload-files">
        {files.slice(0, mostListed).map(({ key, name, message }) => (
          <li key={key}>
            <span className="clip mono">{name}</span>
            <span className="cell-sub">{message}</span>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Dismiss ${name}`}
              onClick={() => upload.dismiss(key)}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </div>
  );
}

const stateWords: Record<FileState, string> = {
  reading: "Reading",
  waiting: "Waiting",
  sending: "Sending",
  here: "Here",
  known: "Known",
  refused: "Refused",
};

function FileList({ files }: { files: readonly UploadFile[] }) {
  return (
    <ul className="upload-files">
      {files.slice(0, mostListed).map((file) => (
        <li key={file.key}>
          <span className="clip mono">{file.name}</span>
          <span className="cell-sub">
            {file.state === "sending"
              ? `${Math.round((file.sentBytes / Math.max(1, file.size)) * 100)} %`
              : stateWords[file.state]}
          </span>
        </li>
      ))}
      {files.length > mostListed ? (
        <li className="cell-sub">and {(files.length - mostListed).toLocaleString()} more</li>
      ) : null}
    </ul>
  );
}

/** The geometry of an import that is on its way. */
export function ImportSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={72} mb="md" />
      <Skeleton height={36} mb="md" />
      <div className="pairs">
        {Array.from({ length: 8 }, (_, at) => (
          <Skeleton key={at} height={190} />
        ))}
      </div>
    </div>
  );
}
