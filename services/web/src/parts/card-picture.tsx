import "./card-picture.css";
import type { PhotoSide } from "@cardvault/contract";
import { useState } from "react";
import back from "../look/card-back.svg";

/** What is known of a card's pictures: all of them, or the address of the first alone. */
export interface Pictured {
  title: string | null;
  photos?: readonly { side: PhotoSide; url: string; thumbnail_url: string }[];
  thumbnail_url?: string | null;
}

/** `row` is 28 px wide, `small` 64, `medium` 160; `fill` is as wide as what it stands in. */
export type PictureSize = "row" | "small" | "medium" | "fill";

/** Stored sizes by their names in an address: 96, 480 and 1,600 px at the longer side. */
type StoredSize = "small" | "thumbnail" | "full";

/** The same picture in another size: one signature is for all of them. */
export function pictureAddress(url: string, size: StoredSize): string {
  return url.replace(/\/[a-z]+\.webp(?=\?|$)/, `/${size}.webp`);
}

/** The address of a card's picture of a side, or null; without photos only the first one is known. */
function pictureOf(card: Pictured, side: PhotoSide): string | null {
  const photo = card.photos?.find((one) => one.side === side);
  if (photo !== undefined) return photo.url;
  if (side !== "front") return null;
  return card.photos?.[0]?.url ?? card.thumbnail_url ?? null;
}

const storedFor: Record<PictureSize, StoredSize> = {
  row: "small",
  small: "thumbnail",
  medium: "thumbnail",
  fill: "thumbnail",
};

/**
 * A card's picture in the proportion of a card and never cropped. Where there is none, or it cannot be
 * had, the back of a card is drawn. Beside the card's title it is decoration; `alone` gives it a name.
 */
export function CardPicture(props: {
  card: Pictured;
  size: PictureSize;
  side?: PhotoSide;
  alone?: boolean;
  /** Another stored size than the one that fits, as `full` on a page with one card. */
  stored?: StoredSize;
}) {
  const { card, size, side = "front", alone = false, stored = storedFor[size] } = props;
  const address = pictureOf(card, side);
  const [broken, setBroken] = useState<string | null>(null);
  const name = `${card.title ?? "Card that is not identified"}, ${side}`;
  if (address === null || address === broken) {
    return alone ? (
      <img className="card-picture" data-size={size} src={back} alt={`${name}: none yet`} />
    ) : (
      <span className="card-picture" data-size={size} />
    );
  }
  return (
    <img
      className="card-picture"
      data-size={size}
      src={pictureAddress(address, stored)}
      alt={alone ? name : ""}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(address)}
    />
  );
}
