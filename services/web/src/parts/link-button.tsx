import { Button } from "@mantine/core";
import type { ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type AnchorProps = ButtonProps & Omit<ComponentPropsWithRef<"a">, keyof ButtonProps>;

/** A link to a page that looks like a button: it can be opened in another tab, as any link can. */
export const LinkButton = createLink((props: AnchorProps) => <Button component="a" {...props} />);
