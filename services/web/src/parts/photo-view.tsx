import "./photo-view.css";
import { useState } from "react";
import type { PointerEvent, ReactNode } from "react";
import { CardPicture, pictureAddress } from "./card-picture.tsx";

/** So much larger is the print of a card's number readable. */
const zoomTimes = 2.5;

interface Place {
  x: number;
  y: number;
}
const middle: Place = { x: 50, y: 50 };

/**
 * A photo, large. A click, Enter or the page's own key looks closer, the pointer moves what is seen; on a
 * touch screen a finger does. Null: there is no photo of that side, and the back of a card is drawn.
 */
export function PhotoView(props: {
  url: string | null;
  /** What it shows, for who does not see it: "Charged Serpent, front". */
  name: string;
  /** Below it: its side. */
  caption: ReactNode;
  isZoomed: boolean;
  onZoom: (isZoomed: boolean) => void;
  actions?: ReactNode;
}) {
  const { url, name, isZoomed, onZoom } = props;
  const [place, setPlace] = useState(middle);
  const [broken, setBroken] = useState<string | null>(null);
  const isShown = url !== null && url !== broken;

  function follow(event: PointerEvent<HTMLButtonElement>): void {
    if (!isZoomed) return;
    setPlace(placeOf(event));
  }
  return (
    <figure className="photo-view">
      <button
        type="button"
        className="photo-frame"
        data-zoomed={isZoomed || undefined}
        aria-pressed={isZoomed}
        aria-label={isShown ? `${name}: look closer` : `${name}: no photo`}
        disabled={!isShown}
        onPointerMove={follow}
        onClick={(event) => {
          // By keyboard there is no place that was pointed at.
          setPlace(event.detail === 0 ? middle : placeOf(event));
          onZoom(!isZoomed);
        }}
      >
        {isShown ? (
          <img
            src={pictureAddress(url, "full")}
            alt={name}
            decoding="async"
            draggable={false}
            onError={() => setBroken(url)}
            style={
              isZoomed
                ? {
                    transform: `scale(${zoomTimes})`,
                    transformOrigin: `${place.x}% ${place.y}%`,
                  }
                : undefined
            }
          />
        ) : (
          <CardPicture card={{ title: null }} size="fill" />
        )}
      </button>
      <figcaption className="photo-caption">
        <span>{isShown ? props.caption : <>{props.caption}: no photo</>}</span>
        {props.actions}
      </figcaption>
    </figure>
  );
}

function placeOf(event: { currentTarget: HTMLElement; clientX: number; clientY: number }): Place {
  const box = event.currentTarget.getBoundingClientRect();
  const within = (at: number, from: number, size: number) =>
    Math.min(100, Math.max(0, ((at - from) / Math.max(1, size)) * 100));
  return {
    x: within(event.clientX, box.left, box.width),
    y: within(event.clientY, box.top, box.height),
  };
}
