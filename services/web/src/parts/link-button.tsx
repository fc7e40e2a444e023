import { Button } from "@mantine/core";
import { createLink } from "@tanstack/react-router";

/** A link to a page that looks like a button. */
export const LinkButton = createLink(Button<"a">);
