import { useEffect, useRef } from "react";
import { takeScans } from "../app/scan-keys.ts";
import type { ScanTaker } from "../app/scan-keys.ts";

/**
 * The page that is there for scans: they come to it from wherever the focus is. A field marked `data-scan`
 * takes scans itself, by its form; another field that a scan was typed into gets back what stood in it.
 */
export function useScanInput(options: Omit<ScanTaker, "isForScans">): void {
  const latest = useRef<ScanTaker>({ ...options, isForScans: true });
  useEffect(() => {
    latest.current = { ...options, isForScans: true };
  });
  useEffect(() => takeScans(latest), []);
}
