import type { PhotoImportFile } from "@cardvault/contract";
import { CardPicture } from "../../parts/card-picture.tsx";

/** A photo that can be chosen, with its file's name. One that is on its way is drawn as a card's back. */
export function PictureButton(props: {
  file: PhotoImportFile;
  side: "front" | "back" | null;
  isChosen: boolean;
  /** Without it the photo is only shown. */
  onToggle?: (position: number) => void;
}) {
  const { file, side, isChosen, onToggle } = props;
  const shown = (
    <>
      <CardPicture
        card={{ title: file.name, thumbnail_url: file.photo?.thumbnail_url ?? null }}
        size="fill"
      />
      <span className="picture-name" title={file.name}>
        {side === null ? null : (
          <span className="visually-hidden">{side === "front" ? "Front, " : "Back, "}</span>
        )}
        {baseName(file.name)}
      </span>
    </>
  );
  if (onToggle === undefined) return <div className="picture-button">{shown}</div>;
  return (
    <button
      type="button"
      className="picture-button"
      aria-pressed={isChosen}
      onClick={() => onToggle(file.position)}
    >
      {shown}
    </button>
  );
}

/** The folder stands in the title. */
function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
