import { Button, Group, Text } from "@mantine/core";
import "@mantine/dropzone/styles.css";
import { Dropzone } from "@mantine/dropzone";
import { IconPhotoPlus } from "@tabler/icons-react";
import { useRef } from "react";
import type { ComponentPropsWithRef } from "react";

/** Takes photos and whole folders: dropped, chosen, or by keyboard. What is no photo is said at its name. */
export function PhotoDrop(props: {
  onFiles: (files: File[]) => void;
  isBusy?: boolean;
  isSmall?: boolean;
  children: string;
}) {
  const { onFiles, isBusy = false, isSmall = false } = props;
  const chosen = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  return (
    <div className="photo-drop" data-small={isSmall || undefined}>
      <FileInput ref={chosen} aria-label="Photos" onFiles={onFiles} />
      <FileInput
        ref={folder}
        aria-label="Folder of photos"
        onFiles={onFiles}
        {...{ webkitdirectory: "" }}
      />
      <Dropzone
        onDrop={onFiles}
        // By click and key it is the buttons' work, which say which of the two they do.
        activateOnClick={false}
        activateOnKeyboard={false}
        tabIndex={-1}
        loading={isBusy}
        radius="md"
        className="photo-drop-zone"
        styles={{ inner: { pointerEvents: "all" } }}
        inputProps={{ "aria-label": "What is dropped" }}
      >
        <Group justify="center" gap="md">
          <IconPhotoPlus size={isSmall ? 24 : 40} stroke={1.4} aria-hidden />
          <div>
            <Text fw={isSmall ? 400 : 550}>{props.children}</Text>
            {isSmall ? null : (
              <span className="cell-sub">
                JPEG, PNG, WebP or HEIC, up to 20 MB each, 4,000 in one import
              </span>
            )}
          </div>
          <Group gap="xs">
            <Button
              variant={isSmall ? "default" : "filled"}
              size={isSmall ? "xs" : "sm"}
              onClick={() => chosen.current?.click()}
            >
              Choose photos
            </Button>
            <Button
              variant="default"
              size={isSmall ? "xs" : "sm"}
              onClick={() => folder.current?.click()}
            >
              Choose a folder
            </Button>
          </Group>
        </Group>
      </Dropzone>
    </div>
  );
}

/** Not that of the drop zone, which looks at the size of thousands of files before it gives them out. */
function FileInput(props: ComponentPropsWithRef<"input"> & { onFiles: (files: File[]) => void }) {
  const { onFiles, ...rest } = props;
  return (
    <input
      {...rest}
      type="file"
      hidden
      multiple
      onChange={(event) => {
        const files = [...(event.currentTarget.files ?? [])];
        event.currentTarget.value = "";
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
