import { Skeleton } from "@mantine/core";

/** A card that is on its way: two photos, and candidates beside them. */
export function ReviewSkeleton() {
  return (
    <div className="review-card" aria-busy="true">
      <span className="visually-hidden">Loading</span>
      <div className="review-photos">
        <div className="photo-view">
          <div className="photo-frame">
            <Skeleton height="100%" />
          </div>
        </div>
        <div className="photo-view">
          <div className="photo-frame">
            <Skeleton height="100%" />
          </div>
        </div>
      </div>
      <div className="review-side">
        <Skeleton height={64} />
        <Skeleton height={118} />
        <Skeleton height={118} />
        <Skeleton height={118} />
      </div>
    </div>
  );
}
