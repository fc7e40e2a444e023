import { createTheme, defaultCssVariablesResolver, rem } from "@mantine/core";
import type { CSSVariablesResolver, MantineColorsTuple } from "@mantine/core";

/** The one accent: an ink blue that leaves the colour to the card pictures. */
const accent: MantineColorsTuple = [
  "#eef0fb",
  "#dfe3f7",
  "#c3caf0",
  "#a3ade7",
  "#8a97e0",
  "#5a69cc",
  "#3d4bb8",
  "#333fa0",
  "#2b3587",
  "#222b6c",
];
const gray: MantineColorsTuple = [
  "#f7f7f8",
  "#efeff1",
  "#e4e5e8",
  "#d4d6da",
  "#b7bac1",
  "#8b8f98",
  "#5d616a",
  "#43464d",
  "#2c2e33",
  "#1b1c20",
];
const dark: MantineColorsTuple = [
  "#e6e7ea",
  "#c4c7cd",
  "#a3a7b0",
  "#7d828c",
  "#41444d",
  "#2f3239",
  "#23252b",
  "#191a1f",
  "#141519",
  "#0e0f12",
];
/** Good. */
const green: MantineColorsTuple = [
  "#e8f6ee",
  "#d3eede",
  "#a9debf",
  "#79cb9b",
  "#4fb77c",
  "#2f9a60",
  "#1b7a47",
  "#15683b",
  "#105530",
  "#0b3f24",
];
/** Warning. */
const yellow: MantineColorsTuple = [
  "#fdf5e3",
  "#faeac6",
  "#f3d592",
  "#eabd5b",
  "#dea634",
  "#b98213",
  "#8d5f04",
  "#784f03",
  "#623f03",
  "#472d02",
];
/** Bad. */
const red: MantineColorsTuple = [
  "#fdeeed",
  "#fbdddb",
  "#f5b9b5",
  "#ee918b",
  "#ea7770",
  "#cf3d35",
  "#bf2b24",
  "#a4231d",
  "#871c17",
  "#651411",
];
/** In progress. */
const blue: MantineColorsTuple = [
  "#e7f4fa",
  "#d0e8f4",
  "#a3d2e8",
  "#70b8da",
  "#47a1ca",
  "#2484b1",
  "#0f688f",
  "#0b587a",
  "#084764",
  "#05334a",
];

const systemSans =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
const systemMono =
  'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

const inPlace = { withinPortal: false, floatingStrategy: "fixed" } as const;
/** A list of options scrolls by itself: an area around it would be one that no key reaches. */
const options = {
  comboboxProps: inPlace,
  withScrollArea: false,
  styles: { options: { maxHeight: 248, overflowY: "auto" } },
} as const;

/** 14 px body on a 4 px grid. */
export const theme = createTheme({
  colors: { accent, gray, dark, green, teal: green, yellow, red, blue },
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 5 },
  black: "#1b1c20",
  fontFamily: systemSans,
  fontFamilyMonospace: systemMono,
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: "1.35", sm: "1.4", md: "1.45", lg: "1.4", xl: "1.3" },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  radius: { xs: rem(2), sm: rem(4), md: rem(6), lg: rem(8), xl: rem(12) },
  defaultRadius: "md",
  respectReducedMotion: true,
  headings: {
    fontFamily: systemSans,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: rem(22), lineHeight: "1.25" },
      h2: { fontSize: rem(15), lineHeight: "1.35" },
      h3: { fontSize: rem(14), lineHeight: "1.4" },
    },
  },
  components: {
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    Textarea: { defaultProps: { size: "sm" } },
    // Like the menus: within the page's landmarks, and never clipped.
    Select: { defaultProps: { size: "sm", ...options } },
    MultiSelect: { defaultProps: options },
    Autocomplete: { defaultProps: { size: "sm", ...options } },
    TagsInput: { defaultProps: { size: "sm", ...options } },
    Checkbox: { defaultProps: { size: "xs" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Menu: {
      defaultProps: {
        shadow: "md",
        // Beside its button in the document, and so within the page's landmarks; fixed, so that a
        // table that scrolls does not clip it.
        withinPortal: false,
        floatingStrategy: "fixed",
        // An element without a role is not allowed in a menu.
        withInitialFocusPlaceholder: false,
      },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Drawer: {
      defaultProps: {
        closeButtonProps: { "aria-label": "Close" },
        overlayProps: { backgroundOpacity: 0.25 },
        transitionProps: { duration: 80 },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { "aria-label": "Close" },
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { duration: 80 },
      },
    },
  },
});

const meanings = ["accent", "green", "yellow", "red", "blue", "gray"] as const;

/**
 * Mantine's own choice of shades falls below WCAG's contrast in places (dimmed text, placeholders,
 * errors on dark, light variants). Every pair that text can stand on is named here instead.
 */
export const cssVariablesResolver: CSSVariablesResolver = (given) => {
  const resolved = defaultCssVariablesResolver(given);
  Object.assign(resolved.light, {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": "var(--mantine-color-gray-6)",
    "--mantine-color-placeholder": "#6b6f78",
    "--mantine-color-error": "var(--mantine-color-red-6)",
    "--mantine-color-anchor": "var(--mantine-color-accent-6)",
    "--mantine-color-default-border": "var(--mantine-color-gray-4)",
    "--mantine-color-disabled": "var(--mantine-color-gray-1)",
    "--mantine-color-disabled-color": "#6b6f78",
    "--vault-ground": "var(--mantine-color-gray-0)",
    "--vault-panel": "#ffffff",
    "--vault-line": "var(--mantine-color-gray-2)",
    "--vault-hover": "var(--mantine-color-gray-1)",
    "--vault-mark": "var(--mantine-color-accent-6)",
    "--vault-test-ground": "#ffe9b0",
    "--vault-test-text": "#4a3000",
  });
  Object.assign(resolved.dark, {
    "--mantine-color-body": "var(--mantine-color-dark-7)",
    "--mantine-color-dimmed": "var(--mantine-color-dark-2)",
    "--mantine-color-placeholder": "#9095a0",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-anchor": "var(--mantine-color-accent-3)",
    "--mantine-color-default-color": "var(--mantine-color-dark-0)",
    "--mantine-color-disabled-color": "#9095a0",
    "--vault-ground": "var(--mantine-color-dark-8)",
    "--vault-panel": "var(--mantine-color-dark-6)",
    "--vault-line": "var(--mantine-color-dark-5)",
    "--vault-hover": "var(--mantine-color-dark-6)",
    "--vault-mark": "var(--mantine-color-accent-4)",
    "--vault-test-ground": "#4d3804",
    "--vault-test-text": "#ffe2a0",
  });
  for (const name of meanings) {
    Object.assign(resolved.light, {
      [`--mantine-color-${name}-text`]: `var(--mantine-color-${name}-7)`,
      [`--mantine-color-${name}-light-color`]: `var(--mantine-color-${name}-8)`,
    });
    Object.assign(resolved.dark, {
      [`--mantine-color-${name}-text`]: `var(--mantine-color-${name}-3)`,
      [`--mantine-color-${name}-light`]: `color-mix(in srgb, var(--mantine-color-${name}-5) 18%, transparent)`,
      [`--mantine-color-${name}-light-hover`]: `color-mix(in srgb, var(--mantine-color-${name}-5) 28%, transparent)`,
      [`--mantine-color-${name}-light-color`]: `var(--mantine-color-${name}-2)`,
      [`--mantine-color-${name}-outline`]: `var(--mantine-color-${name}-3)`,
    });
  }
  return resolved;
};
