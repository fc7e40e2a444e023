import { useNavigate } from "@tanstack/react-router";
import { tellProblem } from "../parts/tell-problem.tsx";
import { signOut } from "./sign-in-api.ts";
import { queryClient } from "./trpc.ts";

/** Ends the session and forgets what it showed. Where that fails one stays signed in, and is told. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      tellProblem(error, { title: "You are still signed in" });
      return;
    }
    await navigate({ to: "/sign-in" });
    queryClient.clear();
  };
}
