import { Skeleton } from "@mantine/core";

/** The shell's geometry, while the session is asked for. */
export function BootSkeleton() {
  return (
    <div aria-busy="true" style={{ display: "flex", minHeight: "100dvh" }}>
      <span className="visually-hidden">Loading</span>
      <div style={{ width: 232, padding: 12 }}>
        <Skeleton height={24} width={120} mt={8} ml={8} />
        <Skeleton height={40} mt={16} />
        {[96, 80, 120, 72, 88].map((width) => (
          <Skeleton key={width} height={12} width={width} mt={20} ml={8} />
        ))}
      </div>
      <div style={{ flex: 1, padding: 24 }}>
        <Skeleton height={24} width={200} />
        <Skeleton height={120} mt={24} maw={1152} />
      </div>
    </div>
  );
}
